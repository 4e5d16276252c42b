// The duel as a boardgame.io server with its own memory as its store, for bench/load.py.
// Usage: node server.cjs PORT HEALTH. Prints "ready".
const { Server } = require("boardgame.io/server");
const duel = require("./game.cjs");

const [port, health] = process.argv.slice(2).map(Number);
const server = Server({ games: [duel(health)], origins: [/127\.0\.0\.1/] });
server.run({ port, callback: () => console.log("ready") });
