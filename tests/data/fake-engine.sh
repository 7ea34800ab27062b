#!/bin/sh
# An engine for match tests: plays the first free cell in tic-tac-toe, except for one fault.
# Usage: sh fake-engine.sh FAULT [FILE]; see the cases below. Some faults store their state in FILE.

fault=$1
file=$2
searches=0
position=
pondering=

# Prints the first cell that no move of the game names.
free_cell() {
    for cell in a1 a2 a3 b1 b2 b3 c1 c2 c3; do
        case "$position " in
            *" $cell "*) ;;
            *) printf '%s' "$cell"; return ;;
        esac
    done
}

# Prints the reply that the engine expects after a move, in the cases about pondering.
expected_reply() {
    case "$fault" in
        ponder-miss) printf ' ponder c3' ;;
        ponder-illegal) printf ' ponder %s' "$1" ;;
        ponder*)
            position="$position $1"
            printf ' ponder %s' "$(free_cell)"
            ;;
    esac
}

# Ponders, with a fault in some cases.
ponder() {
    pondering=1
    case "$fault" in
        ponder-exit) exit 3 ;;
        ponder-late-exit) if [ "$searches" -ge 3 ]; then exit 3; fi ;;
        ponder-answer) echo "bestmove $(free_cell)" ;;
        ponder-prose) while :; do echo "it was a dark and stormy night"; done ;;
        ponder-info) seq -f "info string line %.0f" 3000 ;;
        ponder-deaf) exec sleep 1000 ;;
    esac
}

# Ends pondering with an answer: it is played after ponderhit, and discarded after stop.
answer_after_pondering() {
    pondering=
    echo "info depth 7 score cp 0 nodes 9"
    mv=$(free_cell)
    echo "bestmove $mv$(expected_reply "$mv")"
}

# Answers a search; most faults occur in the second one, in the middle of a game.
search() {
    searches=$((searches + 1))
    if [ "$searches" -ge 2 ]; then
        case "$fault" in
            crash) echo "out of cheese" >&2; kill -SEGV $$ ;;
            exit) exit 3 ;;
            broken-after-crash) : > "$file"; exit 3 ;;
            once) if [ ! -e "$file" ]; then : > "$file"; exit 3; fi ;;
            hang) exec sleep 1000 ;;
            children) sleep 1000 & sleep 1000 & echo $! > "$file"; wait; wait ;;
            daemon) env -i setsid sleep 1000 & echo $! > "$file"; exit 3 ;;
            deaf) trap '' TERM INT HUP; while :; do sleep 1000; done ;;
            illegal) echo "bestmove a1"; echo "bestmove a1"; return ;;
            nonsense) echo "bestmove 99"; return ;;
            none) echo "bestmove (none)"; return ;;
            empty) echo "bestmove"; return ;;
            late) sleep 0.4 ;;
            slow | ponder-slow) sleep 0.3 ;;
            late-once) if [ ! -e "$file" ]; then : > "$file"; sleep 0.4; fi ;;
            twice) echo "info depth 1 score cp 0"; echo "bestmove $(free_cell)" ;;
            bytes) printf '\377\376\200\n' ;;
            megabyte) head -c 1000000 /dev/zero | tr '\0' 'x'; echo ;;
            endless) while :; do printf 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'; done ;;
            prose) while :; do echo "it was a dark and stormy night"; done ;;
            chatty) seq 900; echo "Loading book..."; echo ;;
            flood) while :; do echo "info string still thinking"; done ;;
            stderr-flood) yes "out of cheese" >&2 ;;
            burst) seq -f "info string line %.0f" 4000 ;;
            claim) echo "info depth 9 score mate 3 nodes 10 pv a1"; echo "bestmove $(free_cell)"; return ;;
        esac
    fi
    echo "info depth 1 score cp ${score:-0} nodes 1 time 0 pv $(free_cell)"
    mv=$(free_cell)
    echo "bestmove $mv$(expected_reply "$mv")"
}

case "$fault" in
    unborn) exit 1 ;;
    mute) if [ -n "$file" ]; then echo start >> "$file"; fi; exec sleep 1000 ;;
    broken-after-crash) if [ -e "$file" ]; then echo "no licence" >&2; exit 1; fi ;;
    count-starts) echo start >> "$file" ;;
    unborn-verbose) printf 'loading\ncannot load \033[2Jbook\n' >&2; exit 1 ;;
    prints-usage) echo "Usage: engine --foo"; exit 3 ;;
    wrong-game) variants="var chess var shogi" ;;
    losing) score=-900 ;;
    winning) score=900 ;;
esac

while read -r line; do
    case "$fault" in
        ponder*) if [ -n "$file" ]; then echo "$line" >> "$file"; fi ;;
    esac
    case "$line" in
        uci | ugi)
            if [ "$fault $line" = "ugi-only uci" ]; then continue; fi
            echo "id name fake"
            if [ "$fault" = "choosy" ]; then
                echo "option name Hash type spin default 16 min 1 max 1024"
                echo "option name Book type string default"
            fi
            if [ "$fault" = "seeded" ]; then
                echo "option name seed type spin default 5 min 3 max 9"
            fi
            case "$fault" in
                ponder*) echo "option name Ponder type check default false" ;;
            esac
            if [ -n "$variants" ]; then
                echo "option name UCI_Variant type combo default chess $variants"
            fi
            echo "${line}ok"
            ;;
        "setoption name Book value "*)
            if [ "$fault" = "choosy" ]; then echo "No such file: ${line##* }"; fi
            ;;
        "setoption name Threads "*)
            if [ "$fault" = "dies-on-option" ]; then exit 3; fi
            ;;
        isready)
            if [ "$fault" = "never-ready" ]; then exec sleep 1000; fi
            if [ "$fault" = "unready" ] && [ "$searches" -ge 1 ]; then
                exec sleep 1000
            fi
            echo "readyok"
            ;;
        "setoption name seed"* | ucinewgame)
            if [ "$fault" = "seeded" ]; then echo "$line" >> "$file"; fi
            ;;
        position*) position=${line#position} ;;
        "go ponder"*) ponder ;;
        go*) search ;;
        ponderhit) answer_after_pondering ;;
        stop) if [ -n "$pondering" ]; then answer_after_pondering; fi ;;
        "query gameover")
            case "$fault" in
                liar) echo "response true" ;;
                *) echo "response false" ;;
            esac
            ;;
        "query p1turn") echo "response true" ;;
        "query result") echo "response draw" ;;
        quit)
            case "$fault" in
                stubborn) while :; do sleep 1000; done ;;
                *) exit 0 ;;
            esac
            ;;
    esac
done
# End of input, which a stubborn engine ignores.
if [ "$fault" = "stubborn" ]; then
    while :; do sleep 1000; done
fi
