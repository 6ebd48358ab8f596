"use strict";
// The game on Colyseus over its usual WebSocket transport: rooms in memory, nothing stored. An event is broadcast at once,
// without waiting for the next patch of a synchronised state.
// With `--pictures FOLDER` the web server beside it (Express) hands out the pictures, as files.
const http = require("node:http");
const express = require("express");
const { Server, Room, LocalDriver, LocalPresence } = require("@colyseus/core");
const { WebSocketTransport } = require("@colyseus/ws-transport");
const rules = require("./game.js");

const PLAYERS = 4;

class Table extends Room {
  onCreate() {
    this.maxClients = PLAYERS;
    this.patchRate = null;
    this.seq = 0;
    this.seats = new Map();
    this.onMessage("deal", () => this.deal());
    this.onMessage("move", (client, move) => this.move(client, move));
  }

  onJoin(client) {
    this.seats.set(client.sessionId, this.seats.size);
  }

  deal() {
    if (this.game || this.seats.size < PLAYERS) return;
    this.game = rules.deal(PLAYERS);
    this.tell([{ event: "round-started", to_play: this.game.toPlay, next_card: this.game.nextCard }]);
  }

  move(client, { gap, seq }) {
    if (!this.game || seq !== this.seq || this.seats.get(client.sessionId) !== this.game.toPlay) return;
    const happened = gap === null ? rules.doubt(this.game) : rules.place(this.game, gap);
    if (happened) this.tell(happened);
  }

  tell(happened) {
    this.seq += 1;
    this.broadcast("event", { seq: this.seq, at: Date.now() / 1000, happened });
  }
}

const folder = rules.pictures();
const httpServer = http.createServer(folder ? express().use(express.static(folder)) : undefined);
const server = new Server({
  greet: false,
  driver: new LocalDriver(),
  presence: new LocalPresence(),
  transport: new WebSocketTransport({ server: httpServer }),
});
server.define("illusion", Table);
server.listen(0, "127.0.0.1").then(() => console.log(`Colyseus at 127.0.0.1:${httpServer.address().port}`));
