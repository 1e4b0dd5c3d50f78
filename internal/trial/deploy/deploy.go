// Package deploy has the trial of deploy/stack: the service as an organisation runs it, with
// its instances killed, upgraded, backed up and restored.
package deploy
