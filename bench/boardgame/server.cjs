// The duel as a boardgame.io server with its own memory as its store, for bench/load.py.
// Usage: node server.cjs PORT HEALTH. Prints "ready".
const { Server } = require("boardgame.io/server");

const HEALTH = Number(process.argv[3] || 30);
const POINTS = 3;

const game = {
  name: "duel",
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ health: [HEALTH, HEALTH], points: [POINTS, POINTS], defends: [false, false] }),
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
      if (G.points[own] === 0) events.endTurn();
    },
    defend: ({ G, ctx, events }) => {
      const own = Number(ctx.currentPlayer);
      G.points[own] -= 1;
      G.defends[own] = true;
      if (G.points[own] === 0) events.endTurn();
    },
    pass: ({ events }) => events.endTurn(),
  },
};

const server = Server({ games: [game], origins: [/127\.0\.0\.1/] });
server.run({ port: Number(process.argv[2]), callback: () => console.log("ready") });
