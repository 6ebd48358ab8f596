// Random play in one CUDA kernel: the games of `illusion.lab.arrays`, number by number, a thread at each place.
// nvcc -O3 -arch=native random_play.cu && ./a.out PLACES DECISIONS   (places in 128s; it shows the first 128)
#include <chrono>
#include <cstdio>
#include <cstdlib>
using u8 = unsigned char; using u32 = unsigned;
enum { PLAYERS = 4, PILE = 98, ARROWS = 12, TO_WIN = 3, DEAL = 0, CHOICE = 1 };
struct Place {
    u8 length, drawn, round, to_play, broke, won[PLAYERS], deck[PILE], row[PILE], arrows[ARROWS];
    u32 games;
};

__device__ u32 words(u32 seed, u32 place, u32 count, u32 purpose, u32* second) {  // Threefry-2x32, 13 rounds
    const u32 keys[3] = {seed, place, seed ^ place ^ 0x1BD11BDA}, bits[8] = {13, 15, 26, 6, 17, 29, 16, 24};
    u32 x = count + seed, y = purpose + place;
    for (int round = 0; round < 13; round++) {
        x += y, y = (y << bits[round % 8] | y >> (32 - bits[round % 8])) ^ x;
        if (round % 4 == 3) x += keys[(round / 4 + 1) % 3], y += keys[(round / 4 + 2) % 3] + round / 4 + 1;
    }
    return *second = y, x;
}
__device__ u32 below(u32* word, u32 limit) {
    unsigned long long product = 1ull * *word * limit;
    return *word = (u32)product, product >> 32;
}
__device__ void turn_up(u8* pile, int top, int size, u32* word) {
    u8 other = top < size ? top + below(word, size - top) : top, card = pile[top];
    if (top < size) pile[top] = pile[other], pile[other] = card;
}
__device__ void begin(Place& p, u32 cards, u32 rest) {
    turn_up(p.deck, 0, PILE, &cards), turn_up(p.deck, 1, PILE, &cards), turn_up(p.arrows, 0, ARROWS, &rest);
    p.length = p.drawn = p.round = 1, p.to_play = below(&rest, PLAYERS), p.broke = p.row[0] = 0;
    for (u8& won : p.won) won = 0;
}
__device__ int share(const Place& p, int position) { return (p.deck[position] * 7 + p.arrows[p.round - 1] * 31) % 26; }
__device__ void play(Place* places, u32 seed, u32 number, int decisions) {
    Place p;
    u32 second, lot = words(seed, number, 0, DEAL, &second);
    for (int i = 0; i < PILE; i++) p.deck[i] = i;
    for (int i = 0; i < ARROWS; i++) p.arrows[i] = i / 3;
    begin(p, lot, second), p.games = 0;
    for (int made = 1; made <= decisions; made++) {
        u32 unused, choice = words(seed, number, made, CHOICE, &unused);
        int gaps = p.drawn < PILE ? p.length + 1 : 0, action = below(&choice, gaps + (p.length > 1));
        lot = words(seed, number, made, DEAL, &second);
        if (action < gaps) {
            int first = p.drawn - p.length, card = share(p, p.drawn);
            bool falls = (action > 0 && share(p, first + p.row[action - 1]) > card) ||
                         (action < p.length && card > share(p, first + p.row[action]));
            for (int i = p.length; i > action; i--) p.row[i] = p.row[i - 1];
            p.row[action] = p.length, p.broke = falls && !p.broke ? p.length : p.broke;
            p.length++, p.to_play = (p.to_play + 1) % PLAYERS, turn_up(p.deck, ++p.drawn, PILE, &lot);
            continue;
        }
        p.to_play = p.broke ? p.to_play : (p.to_play + PLAYERS - 1) % PLAYERS, p.length = 1;
        if (++p.won[p.to_play] == TO_WIN || p.round == ARROWS || PILE - p.drawn < 2) {
            p.games++, begin(p, lot, second);
        } else {
            p.broke = p.row[0] = 0;
            turn_up(p.deck, ++p.drawn, PILE, &lot), turn_up(p.arrows, p.round++, ARROWS, &second);
        }
    }
    places[number] = p;
}
__global__ void everywhere(Place* places, int decisions) {
    play(places, 1, blockIdx.x * blockDim.x + threadIdx.x, decisions);
}
int main(int, char** given) {
    int many = atoi(given[1]), decisions = atoi(given[2]);
    Place *there, first[128];
    cudaMalloc(&there, many * sizeof(Place)), everywhere<<<many / 128, 128>>>(there, 1), cudaDeviceSynchronize();
    auto began = std::chrono::steady_clock::now();
    everywhere<<<many / 128, 128>>>(there, decisions), cudaDeviceSynchronize();
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    cudaMemcpy(first, there, sizeof first, cudaMemcpyDeviceToHost);
    for (Place& p : first) printf("%d %d %d %d %d\n", p.games, p.round, p.drawn, p.length, p.to_play);
    printf("%.0f million decisions a second\n", many / 1e6 * decisions / seconds);
}
