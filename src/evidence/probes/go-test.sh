#!/bin/sh
# Go starts every test program, and what `go run` builds, with this script. It leaves everything else that a test starts
# alone.
case " $* " in
*" -test.list="* | *" -test.bench="* | *" -test.fuzz="* | *" -test.v=test2json "*) exec "$@" ;;
*" -test.paniconexit0 "*) ;;
*) exec "$@" ;;
esac
[ -n "$AGENT_FOREMAN_TESTS" ] && [ -z "$AGENT_FOREMAN_RUNNER" ] || exec "$@"
exec "$AGENT_FOREMAN_NODE" "${0%/*}/go-test.cjs" "$@"
