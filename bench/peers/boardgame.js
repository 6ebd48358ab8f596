"use strict";
// The game on boardgame.io: state in memory, nothing stored.
// With `--pictures FOLDER` its web server (Koa) hands out the pictures, as files.
const { Server } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");
const rules = require("./game.js");

const illusion = {
  name: "illusion",
  setup: ({ ctx }) => rules.deal(ctx.numPlayers),
  moves: {
    place: ({ G }, gap) => (rules.place(G, gap) ? undefined : INVALID_MOVE),
    doubt: ({ G }) => (rules.doubt(G) ? undefined : INVALID_MOVE),
  },
  turn: {
    minMoves: 1,
    maxMoves: 1,
    order: { first: ({ G }) => G.toPlay, next: ({ G }) => G.toPlay },
  },
  endIf: ({ G }) => (G.winners.length ? { winners: G.winners } : undefined),
  playerView: ({ G: { secret, ...seen } }) => seen,
  disableUndo: true,
};

const folder = rules.pictures();
const server = Server({ games: [illusion], origins: ["http://127.0.0.1"] });
if (folder) server.app.use(require("koa-static")(folder));
server.run({ port: 0, callback: () => undefined }).then(({ appServer }) => {
  console.log(`boardgame.io at 127.0.0.1:${appServer.address().port}`);
});
