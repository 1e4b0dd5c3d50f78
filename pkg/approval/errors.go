package approval

import "errors"

// Errors of a service. The HTTP API has a status for each.
var (
	// ErrNotFound says that there is no such request.
	ErrNotFound = errors.New("there is no such request")
	// ErrMismatch says that the key or the id of a submission stands for
	// something else already.
	ErrMismatch = errors.New("the key belongs to another submission")
	// ErrSelf says that the one who asks wants to decide.
	ErrSelf = errors.New("who submits a request cannot decide it")
	// ErrNotApprover says that somebody else must decide.
	ErrNotApprover = errors.New("another approver must decide this request")
	// ErrTooMany says that too many requests are pending; what wraps it says of
	// whom.
	ErrTooMany = errors.New("too many requests are pending")
	// ErrDecided says that the request is over.
	ErrDecided = errors.New("the request is decided already")
	// ErrChanged says that the policy asks something else by now than what was answered;
	// what wraps it says what. The request is asked again.
	ErrChanged = errors.New("the policy has changed since the request was shown, and it is asked again")
	// ErrConsumed says that a receipt was used.
	ErrConsumed = errors.New("the receipt was consumed already")
	// ErrRevoked says that an approval was taken back; what wraps it says by whom.
	ErrRevoked = errors.New("the approval was taken back")
	// ErrNotApproved says that there is no approval that could be taken back.
	ErrNotApproved = errors.New("there is no approval to take back")
	// ErrNoTime says that a request can have no more time; what wraps it says until
	// when it has.
	ErrNoTime = errors.New("nobody waits for the answer after")
	// ErrNotConsumed says that a result was reported for a call whose receipt
	// nobody consumed.
	ErrNotConsumed = errors.New("the receipt was not consumed: consume it before the call runs")
	// ErrReported says that another result was reported.
	ErrReported = errors.New("another result was reported already")
	// ErrReceipt says that a receipt is not to be trusted; what wraps it says
	// why.
	ErrReceipt = errors.New("the receipt does not hold")
	// ErrAltered says that a request does not show what its hash binds.
	ErrAltered = errors.New("the request is not what was submitted: it was changed where it is stored")
	// ErrDamaged says that what is stored cannot be read.
	ErrDamaged = errors.New("it is damaged: restore a backup")
)

// An Invalid is a submission, an answer or a report that makes no sense. It
// names the place.
type Invalid struct{ Text string }

// Error returns the text.
func (e *Invalid) Error() string { return e.Text }
