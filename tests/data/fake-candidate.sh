#!/bin/sh
# An engine for tests of `exam`: answers the position after each line of play with the words that the file
# has behind it, and with nothing if it has none. Usage: sh fake-candidate.sh FILE

moves=
while read -r line; do
    case "$line" in
        uci) echo "id name candidate"; echo uciok ;;
        isready) echo readyok ;;
        "position startpos moves "*) moves=$(echo "${line#position startpos moves }" | tr -d ' ') ;;
        go*)
            answer=$(sed -n "s/^$moves //p" "$1")
            case "$answer" in
                crash) echo "out of cheese" >&2; kill -SEGV $$ ;;
                exit) exit 3 ;;
                late) sleep 1; echo "bestmove a1" ;;
                hang) exec sleep 1000 ;;
                *) echo "bestmove $answer" ;;
            esac
            ;;
        quit) exit 0 ;;
    esac
done
