#!/bin/sh
# An engine for conformance tests: plays the first free cell in tic-tac-toe and speaks UCI and UGI
# correctly, except for one defect. Usage: sh faulty-protocol.sh FAULT; see the uses of $fault. The
# fault `none` has no defect.

set -f
fault=$1
dialect=uci
x_cells=' '
o_cells=' '
mover=x
searching=
allowed=
high=$(printf '\377')

# Prints the free cells; none if the game is over.
free_cells() {
    [ "$(result)" = none ] || return
    for cell in a1 a2 a3 b1 b2 b3 c1 c2 c3; do
        case "$x_cells$o_cells" in
            *" $cell "*) ;;
            *) printf '%s ' "$cell" ;;
        esac
    done
}

# Prints the answer to `query result`.
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

# Plays a cell for the side to move; ignores anything else.
play_cell() {
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

# Sets up the stones and the side to move of a FEN.
set_fen() {
    remaining=$1
    files='a b c'
    rank=3
    while [ -n "$remaining" ]; do
        letter=${remaining%"${remaining#?}"}
        remaining=${remaining#?}
        case "$letter" in
            /)
                files='a b c'
                rank=$((rank - 1))
                ;;
            1) files=${files#? } ;;
            2) files=${files#? ? } ;;
            x | o)
                mover=$letter
                play_cell "${files%"${files#?}"}$rank"
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
            set_fen "$2" "$3"
            shift "$(($# < 3 ? $# : 3))"
            ;;
    esac
    for word in "$@"; do
        play_cell "$word"
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
    [ "$fault" != bound-only ] || bound=' lowerbound'
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
    [ "$fault" != ignores-searchmoves ] || allowed=
    case "$fault: $*" in
        early-bestmove:*infinite* | immediate-ponder:*ponder*) ;;
        early-infinite:*infinite* | early-ponder:*ponder*) sleep 0.4 ;;
        slow-infinite:*infinite*) sleep 2.5 ;;
        "slow-infinite: go movetime 100") sleep 1.8 ;;
        *:*infinite*) searching=infinite ;;
        *:*ponder*) searching=ponder ;;
        "slow-movetime: go movetime 100") sleep 1.5 ;;
        "late-with-little-time: go wtime 50 "*) sleep 1.5 ;;
        "late-without-time: go wtime 0 "*) sleep 1.8 ;;
        "illegal-move: go nodes 1000")
            echo "bestmove d4"
            return
            ;;
        "no-bestmove: go nodes 1000") return ;;
        "invalid-utf8: go nodes 1000") printf '\377\376\n' ;;
        "crash: go nodes 1000")
            echo "Traceback (most recent call last): a first line that is not the reason" >&2
            echo "out of cheese" >&2
            exit 3
            ;;
    esac
    if [ "$fault" = plays-finished-game ] && [ "$(result)" != none ]; then
        echo "bestmove a1"
    elif [ -z "$searching" ]; then
        answer
    fi
}

handshake() {
    case "$fault $1" in
        "ugi-only uci" | "uci-only ugi") return ;;
        exits*)
            echo "loading" >&2
            echo "no such book: cheese" >&2
            exit 1
            ;;
        unknown-command*)
            echo "Error (unknown command): $1"
            return
            ;;
        garbled*) printf '\377\376\n' ;;
        "slow-start uci" | "slow-late-option uci") sleep 1.3 ;;
        buffered*)
            while read -r line; do :; done
            ;;
    esac
    dialect=$1
    echo "id name faulty"
    [ "$fault" = no-id ] || echo "id author nobody"
    echo "option name Ponder type check default false"
    case "$fault" in
        bad-default) echo "option name Hash type spin default 0 min 1 max 16" ;;
        duplicate-option) echo "option name ponder type check default false" ;;
        other-game) echo "option name UCI_Variant type combo default chess var chess" ;;
        noisy-option) echo "option name Touchy type string default" ;;
    esac
    [ "$fault" = no-uciok ] || echo "${1}ok"
    case "$fault" in
        *late-option) echo "option name Late type check default false" ;;
    esac
}

query() {
    state=$(result)
    case "$1" in
        gameover) if [ "$state" = none ]; then echo "response false"; else echo "response true"; fi ;;
        p1turn) if [ "$mover" = x ]; then echo "response true"; else echo "response false"; fi ;;
        result) if [ "$fault" = wrong-result ]; then echo "response draw"; else echo "response $state"; fi ;;
    esac
}

handle_stop() {
    case "$fault:$searching" in
        ignores-stop:*) ;;
        late-stop:?*)
            sleep 1.8
            answer
            ;;
        answers-stop-twice:infinite)
            answer
            answer
            ;;
        answers-idle-stop:* | *:?*) answer ;;
    esac
}

[ "$fault" != banner ] || echo "Faulty 1.0 by nobody"
[ "$fault" != silent ] || exec sleep 1000

while read -r line; do
    case "$line" in
        uci | ugi) handshake "$line" ;;
        isready)
            if [ "$fault" = isready-ends-search ] && [ -n "$searching" ]; then
                answer
            fi
            if [ "$fault" != unready-in-search ] || [ -z "$searching" ]; then
                echo readyok
            fi
            ;;
        *zz99*) [ "$fault" != crash-on-illegal-move ] || exit 1 ;;
        "position fen" | "position fen ") [ "$fault" != crash-on-broken-fen ] || exit 1 ;;
        position\ fen*) [ "$fault" = ignores-fen ] || set_position $line ;;
        position*) set_position $line ;;
        go*) go $line ;;
        stop) handle_stop ;;
        ponderhit)
            if [ -n "$searching" ] && [ "$fault" != ignores-ponderhit ]; then
                answer
            fi
            ;;
        ucinewgame) [ "$fault" != answers-newgame ] || echo "response ok" ;;
        "xyzzy "*) [ "$fault" != forgets-position ] || set_position position startpos ;;
        '') [ "$fault" != crash-on-empty-line ] || exit 1 ;;
        "query "*) query ${line#query } ;;
        "setoption name Touchy"*) echo "info string error: touched" ;;
        quit)
            [ "$fault" = ignores-quit ] && [ -z "$searching" ] || exit 0
            ;;
        *"$high"*) [ "$fault" != crash-on-garbage ] || exit 1 ;;
        xxxxxxxx*) [ "$fault" != crash-on-long-line ] || exit 1 ;;
    esac
done
# End of input.
[ "$fault" = ignores-eof ] && [ -z "$searching" ] && exec sleep 1000
exit 0
