// The duel for boardgame.io, played by two random players through its local client.
// Usage: node duel.cjs SECONDS. Prints matches, wins of the first player, moves,
// seconds of processor time.
const { Client } = require("boardgame.io/client");

const HEALTH = 30;
const POINTS = 3;

const game = {
  setup: () => ({ health: [HEALTH, HEALTH], points: [POINTS, 0], defends: [false, false] }),
  turn: {
    onBegin: ({ G, ctx }) => {
      const own = Number(ctx.currentPlayer);
      G.points[own] = POINTS;
      G.defends[own] = false;
    },
  },
  moves: {
    attack: ({ G, ctx, random, events }) => {
      const own = Number(ctx.currentPlayer);
      const other = 1 - own;
      G.points[own] -= 1;
      if (random.D20() + 5 >= (G.defends[other] ? 14 : 12)) {
        G.health[other] -= random.Die(8) + 3;
        if (G.health[other] <= 0) events.endGame({ winner: own });
      }
    },
    defend: ({ G, ctx }) => {
      const own = Number(ctx.currentPlayer);
      G.points[own] -= 1;
      G.defends[own] = true;
    },
  },
};

function play(seed) {
  const client = Client({ game: { ...game, seed }, numPlayers: 2, debug: false });
  client.start();
  let moves = 0;
  for (;;) {
    const { G, ctx } = client.getState();
    if (ctx.gameover) {
      client.stop();
      return [ctx.gameover.winner, moves];
    }
    const own = Number(ctx.currentPlayer);
    const options = ["end"];
    if (G.points[own] > 0) {
      options.push("attack");
      if (!G.defends[own]) options.push("defend");
    }
    const choice = options[Math.floor(Math.random() * options.length)];
    if (choice === "end") client.events.endTurn();
    else client.moves[choice]();
    moves += 1;
  }
}

const budget = Number(process.argv[2] || 2);
for (let i = 0; i < 5; i++) play(`warm ${i}`);
const begin = performance.now();
const used = process.cpuUsage();
let matches = 0;
let wins = 0;
let moves = 0;
while (performance.now() - begin < 1000 * budget) {
  const [winner, length] = play(`seed ${matches}`);
  wins += winner === 0 ? 1 : 0;
  moves += length;
  matches += 1;
}
const { user, system } = process.cpuUsage(used);
console.log(matches, wins, moves, (user + system) / 1e6);
