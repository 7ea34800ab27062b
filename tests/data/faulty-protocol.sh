#!/bin/sh
# An engine for tests of compliance: plays tic-tac-toe, the first free cell, speaks UCI and UGI as
# it should, and does one thing wrong. Usage: sh faulty-protocol.sh FAULT; see where $fault stands.

set -f
fault=$1
dialect=uci
x_cells=' '
o_cells=' '
mover=x
searching=
allowed=
high=$(printf '\377')

# The free cells, unless a line is full.
free_cells() {
    [ "$(result)" = none ] || return
    for cell in a1 a2 a3 b1 b2 b3 c1 c2 c3; do
        case "$x_cells$o_cells" in
            *" $cell "*) ;;
            *) printf '%s ' "$cell" ;;
        esac
    done
}

# How the game stands, in the words of `query result`.
result() {
    for line in "a1 a2 a3" "b1 b2 b3" "c1 c2 c3" "a1 b1 c1" "a2 b2 c2" "a3 b3 c3" "a1 b2 c3" "a3 b2 c1"; do
        for player in 1 2; do
            cells=$x_cells
            [ "$player" = 1 ] || cells=$o_cells
            for cell in $line; do
                case "$cells" in *" $cell "*) ;; *) continue 2 ;; esac
            done
            echo "p${player}win"
            return
        done
    done
    if [ "$(printf '%s' "$x_cells$o_cells" | wc -w)" = 9 ]; then echo draw; else echo none; fi
}

# Puts a stone of the mover on a cell.
put() {
    case "$1" in
        [abc][123]) ;;
        *) return ;;
    esac
    if [ "$mover" = x ]; then
        x_cells="$x_cells$1 "
        mover=o
    else
        o_cells="$o_cells$1 "
        mover=x
    fi
}

# Puts up the stones of a FEN; whose turn it is comes last.
put_fen() {
    rest=$1
    files='a b c'
    rank=3
    while [ -n "$rest" ]; do
        letter=${rest%"${rest#?}"}
        rest=${rest#?}
        case "$letter" in
            /)
                files='a b c'
                rank=$((rank - 1))
                ;;
            1) files=${files#? } ;;
            2) files=${files#? ? } ;;
            x | o)
                mover=$letter
                put "${files%"${files#?}"}$rank"
                files=${files#? }
                ;;
        esac
    done
    mover=$2
}

set_position() {
    x_cells=' '
    o_cells=' '
    mover=x
    shift
    case "$1" in
        startpos) shift ;;
        fen)
            put_fen "$2" "$3"
            shift "$(($# < 3 ? $# : 3))"
            ;;
    esac
    for word in "$@"; do
        put "$word"
    done
}

answer() {
    searching=
    best=${allowed:-$(free_cells)}
    set -- $best
    mv=${1:-(none)}
    line=$mv
    bound=
    ponder=
    if [ "$x_cells$o_cells" = "  " ] && [ $# -ge 2 ]; then
        ponder=" ponder $2"
        [ "$dialect" = uci ] || ponder=
        case "$fault" in
            ponder-in-ugi) ponder=" ponder $2" ;;
            illegal-ponder) ponder=" ponder $mv" ;;
            wrong-pv) line=$2 ;;
        esac
    fi
    [ "$fault" != bound ] || bound=' lowerbound'
    nodes=1
    [ "$fault" != no-number ] || nodes=many
    echo "info depth 1 score cp 0$bound nodes $nodes nps 1 time 0 pv $line"
    echo "bestmove $mv$ponder"
}

go() {
    allowed=
    case "$*" in
        *searchmoves*) allowed=${*##*searchmoves } ;;
    esac
    [ "$fault" != deaf-to-searchmoves ] || allowed=
    case "$fault: $*" in
        early:*infinite*) ;;
        *:*infinite*) searching=infinite ;;
        *:*ponder*) searching=ponder ;;
        "late: go movetime 100") sleep 1.5 ;;
        "illegal: go nodes 1000")
            echo "bestmove d4"
            return
            ;;
        "endless: go nodes 1000") return ;;
        "bytes: go nodes 1000") printf '\377\376\n' ;;
        "crash: go nodes 1000")
            echo "out of cheese" >&2
            exit 3
            ;;
    esac
    if [ "$fault" = no-end ] && [ "$(result)" != none ]; then
        echo "bestmove a1"
    elif [ -z "$searching" ]; then
        answer
    fi
}

greet() {
    dialect=$1
    echo "id name faulty"
    [ "$fault" = anonymous ] || echo "id author nobody"
    echo "option name Ponder type check default false"
    case "$fault" in
        option) echo "option name Hash type spin default 0 min 1 max 16" ;;
        twice) echo "option name ponder type check default false" ;;
        other-game) echo "option name UCI_Variant type combo default chess var chess" ;;
        touchy) echo "option name Touchy type string default" ;;
    esac
    [ "$fault" = no-uciok ] || echo "${1}ok"
}

query() {
    state=$(result)
    case "$1" in
        gameover) if [ "$state" = none ]; then echo "response false"; else echo "response true"; fi ;;
        p1turn) if [ "$mover" = x ]; then echo "response true"; else echo "response false"; fi ;;
        result) if [ "$fault" = liar ]; then echo "response draw"; else echo "response $state"; fi ;;
    esac
}

[ "$fault" != banner ] || echo "Faulty 1.0 by nobody"
[ "$fault" != mute ] || exec sleep 1000

while read -r line; do
    case "$line" in
        uci | ugi) greet "$line" ;;
        isready)
            if [ "$fault" != unready-in-search ] || [ -z "$searching" ]; then
                echo readyok
            fi
            ;;
        position*) set_position $line ;;
        go*) go $line ;;
        stop) [ -z "$searching" ] && [ "$fault" != stop-when-idle ] || answer ;;
        ponderhit) [ -z "$searching" ] || answer ;;
        "query "*) query ${line#query } ;;
        "setoption name Touchy"*) echo "info string error: touched" ;;
        quit)
            [ "$fault" = stubborn ] && [ -z "$searching" ] || exit 0
            ;;
        *"$high"*) [ "$fault" != fragile ] || exit 1 ;;
    esac
done
# The input has ended; who is lonely stays.
[ "$fault" = lonely ] && [ -z "$searching" ] && exec sleep 1000
exit 0
