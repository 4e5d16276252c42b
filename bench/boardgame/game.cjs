// The duel of bench/duel.md for boardgame.io. As there, a turn ends by itself when nothing is left to do in it.
const POINTS = 3;

const spend = ({ G, events }, own) => {
  G.points[own] -= 1;
  if (G.points[own] === 0) events.endTurn();
};

module.exports = (health) => ({
  name: "duel",
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ health: [health, health], points: [POINTS, POINTS], defends: [false, false] }),
  turn: {
    onBegin: ({ G, ctx }) => {
      const own = Number(ctx.currentPlayer);
      G.points[own] = POINTS;
      G.defends[own] = false;
    },
  },
  moves: {
    attack: (match) => {
      const { G, ctx, random, events } = match;
      const own = Number(ctx.currentPlayer);
      const other = 1 - own;
      if (random.D20() + 5 >= (G.defends[other] ? 14 : 12)) {
        G.health[other] -= random.Die(8) + 3;
        if (G.health[other] <= 0) events.endGame({ winner: own });
      }
      spend(match, own);
    },
    defend: (match) => {
      const own = Number(match.ctx.currentPlayer);
      match.G.defends[own] = true;
      spend(match, own);
    },
    pass: ({ events }) => events.endTurn(),
  },
});
