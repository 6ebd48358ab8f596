"use strict";
// The rules of the game (docs/rules.md) as plain functions, for servers that are measured beside ours: 98 cards of shares
// without pictures, twelve arrows, first to three. `place` and `doubt` change the state and return what everybody sees.
// With `--pictures FOLDER` a card is named after its picture, a file in `cards/` there.
const { readdirSync } = require("node:fs");
const { randomBytes, randomInt } = require("node:crypto");

const COLOURS = ["red", "yellow", "green", "blue"];
const CARDS = 98;
const ARROWS_TO_WIN = 3;
const ROUNDS = 12;

function shuffled(list) {
  for (let at = list.length - 1; at > 0; at--) {
    const other = randomInt(at + 1);
    [list[at], list[other]] = [list[other], list[at]];
  }
  return list;
}

function pictures() {
  const at = process.argv.indexOf("--pictures");
  return at < 0 ? null : process.argv[at + 1];
}

const fronts = pictures() ? readdirSync(`${pictures()}/cards`).filter((file) => file.startsWith("front-")) : [];

function deal(players) {
  const names = shuffled(fronts.map((file) => file.replace(".svg", "")));
  const deck = Array.from({ length: CARDS }, (_, at) => ({
    card: names[at] ?? randomBytes(16).toString("hex"),
    shares: Object.fromEntries(COLOURS.map((colour) => [colour, 2 + randomInt(22)])),
  }));
  const arrows = shuffled(COLOURS.flatMap((colour) => [colour, colour, colour]));
  const game = {
    secret: { arrows, deck },
    round: 0, drawn: 0, arrow: null, row: [], placedBy: [], nextCard: null, toPlay: randomInt(players), players,
    arrowsWon: Array.from({ length: players }, () => []), winners: [], lastDoubt: null,
  };
  beginRound(game);
  return game;
}

// R2.2 to R2.4: the top arrow is turned up, the top card laid beside its tip, and the next one seen.
function beginRound(game) {
  game.arrow = game.secret.arrows[game.round];
  game.round += 1;
  game.row = [game.secret.deck[game.drawn].card];
  game.placedBy = [null];
  game.drawn += 1;
  look(game);
  return { event: "round-started", round: game.round, arrow: game.arrow, first_card: game.row[0], next_card: game.nextCard, to_play: game.toPlay };
}

function look(game) {
  game.nextCard = game.drawn < CARDS ? game.secret.deck[game.drawn].card : null;
}

// R4.2, R4.3; null says that the move is illegal.
function place(game, gap) {
  if (game.winners.length || game.nextCard === null) return null;
  if (!Number.isInteger(gap) || gap < 0 || gap > game.row.length) return null;
  const seat = game.toPlay, card = game.nextCard;
  game.row.splice(gap, 0, card);
  game.placedBy.splice(gap, 0, seat);
  game.drawn += 1;
  look(game);
  game.toPlay = (seat + 1) % game.players;
  return [{ event: "card-placed", seat, card, gap, next_card: game.nextCard, to_play: game.toPlay }];
}

// R5 and R6.
function doubt(game) {
  if (game.winners.length || game.row.length < 2) return null;
  const seat = game.toPlay, arrow = game.arrow;
  const backs = new Map(game.secret.deck.slice(0, game.drawn).map((each) => [each.card, each.shares]));
  const row = game.row.map((card, at) => ({ card, shares: { ...backs.get(card) }, placed_by: game.placedBy[at] }));
  const fall = row.findIndex((each, at) => at > 0 && each.shares[arrow] < row[at - 1].shares[arrow]);
  const taker = fall < 0 ? (seat + game.players - 1) % game.players : seat;
  game.arrowsWon[taker].push(arrow);
  game.lastDoubt = { seat, arrow, row, first_fall: fall < 0 ? null : fall };
  const told = [{ event: "row-doubted", ...game.lastDoubt }, { event: "arrow-awarded", seat: taker, arrow }];
  game.toPlay = taker;
  if (game.arrowsWon[taker].length < ARROWS_TO_WIN && game.round < ROUNDS && CARDS - game.drawn >= 2) return [...told, beginRound(game)];
  const most = Math.max(...game.arrowsWon.map((won) => won.length));
  game.winners = [...game.arrowsWon.keys()].filter((each) => game.arrowsWon[each].length === most);
  game.row = [];
  return [...told, { event: "game-ended", winners: game.winners }];
}

module.exports = { deal, place, doubt, pictures };
