#!/bin/sh
# Go starts every program of tests, and what `go run` makes, by this. Whatever a test starts is its own business.
case " $* " in
*" -test.list="* | *" -test.bench="* | *" -test.fuzz="* | *" -test.v=test2json "*) exec "$@" ;;
*" -test.paniconexit0 "*) ;;
*) exec "$@" ;;
esac
[ -n "$AGENT_FOREMAN_TESTS" ] && [ -z "$AGENT_FOREMAN_RUNNER" ] || exec "$@"
exec "$AGENT_FOREMAN_NODE" "${0%/*}/go-test.cjs" "$@"
