#!/bin/sh
# A CodinGame bot for match tests: plays the first listed move, except for one fault in its second
# turn. Usage: sh fake-bot.sh FAULT [FILE]; see the cases below.

fault=$1
file=$2
turns=0

case "$fault" in
    unborn) echo "no licence" >&2; exit 1 ;;
    banner) echo "Bot 1.0" ;;
    log) echo "$$" >> "$file" ;;
    buffered) cat > /dev/null; echo "4 4"; exit ;;
esac

while read -r opponent; do
    turns=$((turns + 1))
    read -r count
    answer=
    listed=0
    while [ "$listed" -lt "$count" ]; do
        read -r square
        answer=${answer:-$square}
        listed=$((listed + 1))
    done
    if [ "$fault" = debug ]; then echo "thinking"; fi
    if [ "$fault" = log ]; then echo "$opponent $count" >> "$file"; fi
    if [ "$fault$turns" = late-start1 ]; then sleep 0.5; fi
    if [ "$turns" -ge 2 ]; then
        case "$fault" in
            crash) echo "out of cheese" >&2; kill -SEGV $$ ;;
            exit) exit 3 ;;
            silent) exec sleep 1000 ;;
            late) sleep 0.6 ;;
            occupied) answer=$opponent ;;
            off-board) answer="9 9" ;;
            no-move) answer="-1 -1" ;;
            square) answer="e5" ;;
            one-number) answer="4" ;;
            prose) while :; do echo "it was a dark and stormy night"; done ;;
            bytes) printf '\377\376\200\n' ;;
            endless) while :; do printf 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'; done ;;
            # In a single write, so that the second line comes before the next turn.
            twice) answer=$(printf '%s\n%s' "$answer" "$answer") ;;
            stderr-flood) yes "out of cheese" >&2 ;;
            child) sleep 1000 & sleep 1000 & wait ;;
        esac
    fi
    case "$fault" in
        chatty)
            echo "turn $turns: $count moves" >&2
            echo
            answer="$answer D9 E0.25 $count legal; good luck"
            ;;
    esac
    echo "$answer"
done

if [ "$fault" = deaf ]; then exec sleep 1000; fi
