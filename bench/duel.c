/* The duel by hand: two random players, n matches. Prints wins of the first player, moves,
 * seconds of processor time.
 *
 * Usage: duel MATCHES SEED
 */
#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { HEALTH = 30, ACTION_POINTS = 3, ATTACK, DEFEND, END_TURN };

static uint64_t generator;

static uint32_t below(uint32_t n) {
    for (;;) {
        uint64_t z = (generator += 0x9E3779B97F4A7C15u);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        z ^= z >> 31;
        uint64_t product = (z >> 32) * n;
        uint32_t low = (uint32_t)product;
        if (low >= n || low >= (uint32_t)(-n) % n) return (uint32_t)(product >> 32);
    }
}

struct fighter {
    int health, points, defends;
};

static int play(long *moves) {
    struct fighter fighters[2] = {{HEALTH, ACTION_POINTS, 0}, {HEALTH, 0, 0}};
    int turn = 0;
    for (;;) {
        struct fighter *own = &fighters[turn], *other = &fighters[1 - turn];
        int options[3], count = 0;
        if (own->points > 0) {
            options[count++] = ATTACK;
            if (!own->defends) options[count++] = DEFEND;
        }
        options[count++] = END_TURN;
        ++*moves;
        switch (options[count > 1 ? below(count) : 0]) {
        case ATTACK:
            own->points--;
            if ((int)below(20) + 1 + 5 >= (other->defends ? 14 : 12)) {
                other->health -= (int)below(8) + 1 + 3;
                if (other->health <= 0) return turn;
            }
            break;
        case DEFEND:
            own->points--;
            own->defends = 1;
            break;
        default:
            turn = 1 - turn;
            fighters[turn].points = ACTION_POINTS;
            fighters[turn].defends = 0;
        }
    }
}

int main(int count, char **words) {
    long matches = count > 1 ? atol(words[1]) : 1000000, wins = 0, moves = 0;
    generator = count > 2 ? strtoull(words[2], NULL, 10) : 1;
    struct timespec before, after;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    for (long i = 0; i < matches; i++) wins += play(&moves) == 0;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    double seconds = (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
    printf("%ld %ld %.9f\n", wins, moves, seconds);
    return 0;
}
