// The duel for boardgame.io, played by two random players through its local client.
// Usage: node duel.cjs SECONDS. Prints matches, wins of the first player, moves,
// seconds of processor time.
const { Client } = require("boardgame.io/client");
const duel = require("./game.cjs");

function play(seed) {
  const client = Client({ game: { ...duel(30), seed }, numPlayers: 2, debug: false });
  client.start();
  let moves = 0;
  for (;;) {
    const { G, ctx } = client.getState();
    if (ctx.gameover) {
      client.stop();
      return [ctx.gameover.winner, moves];
    }
    const own = Number(ctx.currentPlayer);
    const options = G.defends[own] ? ["pass", "attack"] : ["pass", "attack", "defend"];
    client.moves[options[Math.floor(Math.random() * options.length)]]();
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
