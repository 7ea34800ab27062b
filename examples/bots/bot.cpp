// A bot for ultimate tic-tac-toe that speaks UGI and CodinGame's protocol:
// g++ -O2 -march=native -std=c++17 -o bot bot.cpp
//
// Elo 1824 ± 44 with depth=8, which takes less than 0.1 s a move (docs/bots.md).

#include <algorithm>
#include <bitset>
#include <chrono>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;
using Deadline = std::chrono::time_point<Clock, std::chrono::duration<double>>;

// A move is 9 * board + cell: nine small boards of nine cells, each row by row from the top left.
// A set of cells, or of boards, is a number with one bit for each.
const int LINES[] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
const int ALL = 0777, WIN = 10000, NONE = -1;
const char* OPTION = "option name UCI_Variant type combo default tixtax var tixtax var tixtax-count";

int count(int bits) { return std::bitset<9>(bits).count(); }

bool has_line(int bits) {
    return std::any_of(std::begin(LINES), std::end(LINES), [=](int line) { return (bits & line) == line; });
}

// What the lines are worth that a player can still complete.
int worth(int own, int blocked) {
    const int points[] = {1, 3, 9, 0};  // by the number of cells in a line
    int sum = 0;
    for (int line : LINES) sum += line & blocked ? 0 : points[count(line & own)];
    return sum;
}

// Swaps 9 * board + cell with 9 * row + column.
int transpose(int square) { return 9 * (square / 27 * 3 + square % 9 / 3) + square / 9 % 3 * 3 + square % 3; }

std::string name(int move) { return {"abcdefghi"[transpose(move) % 9], "987654321"[transpose(move) / 9]}; }

int find(const std::string& text) {
    for (int move = 0; move < 81; ++move) if (name(move) == text) return move;
    return NONE;
}

struct Position {
    bool by_count = false;  // the rule if nobody gets a line of boards: more boards win
    int cells[2][9] = {};   // of each player, in each board
    int won[2] = {};        // the boards of each player
    int closed = 0;         // the boards that are won or full; all of them when the game is over
    int last = NONE;        // the last move; its cell names the board to play in
    int player = 0, score = 0;

    void put(int who, int move) {
        const int board = move / 9, own = cells[who][board] |= 1 << move % 9;
        won[who] |= has_line(own) << board;
        closed |= (has_line(own) || (own | cells[1 - who][board]) == ALL) << board;
        if (has_line(won[who])) closed = ALL;
    }

    Position after(int move) const {
        Position child = *this;
        child.put(player, move);
        child.player = 1 - player, child.last = move;
        child.score = child.evaluate();
        return child;
    }

    std::vector<int> moves() const {
        const bool is_free = last == NONE || closed >> last % 9 & 1;
        const int boards = is_free ? ALL ^ closed : 1 << last % 9;
        std::vector<int> legal;
        for (int move = 0; move < 81; ++move) {
            const int free = ALL & ~(cells[0][move / 9] | cells[1][move / 9]);
            if (boards >> move / 9 & free >> move % 9 & 1) legal.push_back(move);
        }
        return legal;
    }

    // Of a finished game: 1 if the first player has won, -1 if the second has, otherwise 0.
    int winner() const {
        if (has_line(won[0]) || has_line(won[1])) return has_line(won[0]) ? 1 : -1;
        const int lead = by_count ? count(won[0]) - count(won[1]) : 0;
        return (lead > 0) - (lead < 0);
    }

    // The score of the player to move: the worth of lines of cells and, twelvefold, of boards.
    int evaluate() const {
        const int sign = player == 0 ? 1 : -1;
        if (closed == ALL) return sign * WIN * winner();
        int sum = 12 * (worth(won[0], closed & ~won[0]) - worth(won[1], closed & ~won[1]));
        for (int b = 0; b < 9; ++b) {
            if (!(closed >> b & 1)) sum += worth(cells[0][b], cells[1][b]) - worth(cells[1][b], cells[0][b]);
        }
        return sign * sum;
    }
};

// Alpha-beta. Returns the score of the player to move and the best move, NONE if all moves lose.
std::pair<int, int> search(const Position& position, int depth, int alpha, int beta, Deadline deadline) {
    if (depth == 0 || position.closed == ALL || Clock::now() > deadline) return {position.score, NONE};
    // The worst for the opponent first, so that the others are soon refuted.
    std::vector<Position> children;
    for (int move : position.moves()) children.push_back(position.after(move));
    std::stable_sort(children.begin(), children.end(), [](auto& a, auto& b) { return a.score < b.score; });
    int best = NONE;
    for (const Position& child : children) {
        const int score = -search(child, depth - 1, -beta, -alpha, deadline).first;
        if (score > alpha) alpha = score, best = child.last;
        if (alpha >= beta) break;
    }
    return {alpha, best};
}

// Searches deeper and deeper until the time is up or the result is certain.
std::pair<int, std::string> think(const Position& position, double seconds, int max_depth = 81) {
    const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
    int depth = 0, score = 0, best = position.moves()[0];
    while (depth < max_depth && score < WIN) {
        const auto [found, move] = search(position, depth + 1, -WIN, WIN, deadline);
        if (move == NONE || Clock::now() > deadline) break;  // if every move loses, the last one seemed best
        ++depth, score = found, best = move;
    }
    return {best, "info depth " + std::to_string(depth) + " score cp " + std::to_string(score) + " pv " + name(best)};
}

// Reads `startpos` or `fen F`, and the moves after it. Returns false if it cannot.
bool read_position(std::istringstream words, Position& result) {
    std::string start, board, mover, number, last, word;
    Position position;
    position.by_count = result.by_count;
    if (words >> start; start == "fen") {
        words >> board >> mover >> number >> last;
        int square = 0;
        for (char stone : board) {
            if (stone == 'x' || stone == 'o') position.put(stone == 'o', transpose(square++ % 81));
            if (stone >= '1' && stone <= '9') square += stone - '0';
        }
        if (square != 81) return false;
        position.player = mover == "o", position.last = find(last);
    }
    words >> word;  // "moves"
    while (words >> word) {
        const auto legal = position.moves();
        if (std::find(legal.begin(), legal.end(), find(word)) == legal.end()) return false;
        position = position.after(find(word));
    }
    result = position;
    return true;
}

int main() {
    Position position;
    for (std::string line; std::getline(std::cin, line) && line != "quit"; std::cout.flush()) {
        const auto space = std::min(line.find(' '), line.size());
        const std::string command = line.substr(0, space), rest = line.substr(std::min(space + 1, line.size()));
        const bool is_over = position.closed == ALL;
        if (command == "ugi") {
            std::cout << "id name bot.cpp\nid author Zermelo\n" << OPTION << "\nugiok\n";
        } else if (command == "isready") {
            std::cout << "readyok\n";
        } else if (command == "setoption" && rest.find("UCI_Variant") != std::string::npos) {
            position.by_count = rest.find("tixtax-count") != std::string::npos;
        } else if (command == "position") {
            if (!read_position(std::istringstream(rest), position)) std::cout << "info string error: not a position\n";
        } else if (command == "query") {
            const char *answers[] = {"false", "true"}, *results[] = {"p2win", "draw", "p1win"};
            const char* result = is_over ? results[position.winner() + 1] : "none";
            const bool is_true = rest == "gameover" ? is_over : position.player == 0;
            std::cout << "response " << (rest == "result" ? result : answers[is_true]) << "\n";
        } else if (command == "go" && !is_over) {
            const auto limit = [&](const std::string& name, int otherwise) {
                const auto at = rest.find(name + ' ');
                return at == std::string::npos ? otherwise : std::stoi(rest.substr(at + name.size()));
            };
            const int clock = limit(position.player == 0 ? "p1time" : "p2time", 20000);
            const auto [move, info] = think(position, 0.00095 * limit("movetime", clock / 20), limit("depth", 81));
            std::cout << info << "\nbestmove " << name(move) << "\n";
        } else if (!command.empty() && command.find_first_not_of("-0123456789") == std::string::npos) {
            // CodinGame: the opponent's move, then the number of legal moves and the moves.
            if (command != "-1") position = position.after(transpose(9 * std::stoi(command) + std::stoi(rest)));
            std::getline(std::cin, line);
            for (int count = std::stoi(line); count > 0; --count) std::getline(std::cin, line);
            position.by_count = true;
            const int move = think(position, 0.09).first;
            std::cout << transpose(move) / 9 << " " << transpose(move) % 9 << "\n";
            position = position.after(move);
        }
    }
}
