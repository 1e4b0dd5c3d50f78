// Package doom notices when an agent makes the same calls again and again.
//
// A [Detector] remembers the last 64 calls of each session. [Detector.Observe]
// reports whether a call is the third identical one in a row, or completes a
// cycle of two to four calls for the fourth time; [Detector.Report] tells it
// the results, and a result that changed is progress. Any other call between
// two identical ones ends a streak, whether it writes or only reads, while a
// cycle may hold writes.
//
// The package decides nothing, knows neither tools nor policy, reads no clock,
// does no I/O, and does not notice repetition spread over several sessions.
package doom
