package audit

// The kinds of entries.
const (
	KindRequest      = "request"      // an approval was asked for
	KindDecision     = "decision"     // somebody or something decided
	KindVote         = "vote"         // one of several who must approve has voted
	KindReview       = "review"       // a language model was asked and decided nothing
	KindReceipt      = "receipt"      // a receipt was signed
	KindConsumption  = "consumption"  // a receipt was used
	KindExecution    = "execution"    // what was approved ran
	KindCancellation = "cancellation" // a request was withdrawn
	KindExpiry       = "expiry"       // a request or a receipt ran out of time
	KindRevocation   = "revocation"   // an approval that was not used was taken back
	KindExtension    = "extension"    // a request was given more time
	KindChange       = "change"       // the policy asks about a pending request on other terms
	KindSession      = "session"      // all of a session was denied, or no longer
	KindRule         = "rule"         // a rule was written or deleted
	KindGrant        = "grant"        // a grant was stored or revoked
	KindToken        = "token"        // a token was made or revoked
	KindKey          = "key"          // a signing key was added or retired
	KindLogin        = "login"        // somebody signed in or out
	KindPruning      = "pruning"      // requests were reduced to outlines
	KindRefusal      = "refusal"      // the service turned something away
	KindPasskey      = "passkey"      // a passkey was registered or removed
	KindVerdict      = "verdict"      // an engine decided a call by its policy
	KindCut          = "cut"          // the beginning of the log was cut off
)

// Kinds returns the kinds of entries.
func Kinds() []string {
	return []string{
		KindRequest, KindDecision, KindVote, KindReview, KindReceipt, KindConsumption, KindExecution, KindCancellation, KindExpiry,
		KindRevocation, KindExtension, KindChange, KindSession,
		KindRule, KindGrant, KindToken, KindKey, KindLogin, KindPruning, KindRefusal, KindPasskey, KindVerdict, KindCut,
	}
}
