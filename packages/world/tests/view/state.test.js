import assert from "node:assert/strict";
import { test } from "node:test";
import { WorldState } from "../../src/turnwright_world/view/state.js";

const REACTIONS = [
  { name: "dodge", clears: "all", stamina: 30, lockout_us: 1_500_000, why: "dodged" },
  { name: "parry", clears: "first", stamina: 12, lockout_us: 500_000, kinds: ["bite"], why: "parried" },
];

/** @param {WorldState} state @param {string} name @param {Record<string, unknown>} data */
function tell(state, name, data) {
  return state.take({ name, data });
}

function fighting() {
  const state = new WorldState();
  tell(state, "World.Rules", { verbs: ["go"], reactions: REACTIONS });
  tell(state, "Char.Vitals", { hp: 50, maxhp: 60, sp: 40, maxsp: 70, money: 3 });
  for (const id of [1, 2]) {
    tell(state, "Combat.Threat.Add", { id, from: 7, name: "wolf", kind: "bite", at: id * 1000, us: 3_000_000 });
  }
  return state;
}

const predictions = (/** @type {WorldState} */ state) => [...state.threats.values()].map((one) => one.predicted);

test("each package changes its part, and unknown ones change nothing", () => {
  const state = new WorldState();
  assert.equal(tell(state, "Welcome", { name: "Ann" }), "name");
  assert.equal(tell(state, "Char.Queue", { commands: ["north", 5], max: 16 }), "queue");
  assert.deepEqual(state.queue, { commands: ["north", ""], max: 16 });
  assert.equal(tell(state, "Room.Info", { name: "Lane" }), "room");
  assert.equal(tell(state, "Weather.Is", {}), null);
});

test("a press marks its probable threats, and the answer confirms it", () => {
  const state = fighting();
  state.press("parry", 100_000, null);
  assert.deepEqual(predictions(state), ["parried", ""]);
  assert.equal(state.lockedUntilUs, 600_000);
  tell(state, "Combat.Threat.Gone", { id: 1, why: "parried", damage: 0 });
  tell(state, "Combat.Result", { ok: true, why: "parried", at: 110_000, taken: [1] });
  assert.deepEqual(predictions(state), [""]);
  assert.equal(state.lockedUntilUs, 610_000);
  assert.deepEqual(state.gone.map((gone) => gone.why), ["parried"]);
});

test("a refusal withdraws the prediction and restores the queue", () => {
  const state = fighting();
  state.press("dodge", 100_000, null);
  assert.deepEqual(predictions(state), ["dodged", "dodged"]);
  const threats = [{ id: 2, from: 7, name: "wolf", kind: "bite", at: 2000, us: 3_000_000 }];
  tell(state, "Combat.Result", { ok: false, why: "you are too tired", at: 100_000, threats });
  assert.deepEqual([...state.threats.keys()], [2]);
  assert.deepEqual(predictions(state), [""]);
  assert.equal(state.lockedUntilUs, 0);
  assert.equal(state.refusal, "you are too tired");
});

test("a wrong prediction is corrected", () => {
  const state = fighting();
  state.press("parry", 100_000, null);
  tell(state, "Combat.Result", { ok: true, why: "parried", at: 100_000, taken: [2] });
  assert.deepEqual(predictions(state), ["", "parried"]);
});

test("nothing is predicted of a press that cannot count", () => {
  const state = fighting();
  state.press("parry", 100_000, null);
  state.press("parry", 200_000, null);
  assert.deepEqual(predictions(state), ["parried", ""]);
  const tired = fighting();
  tell(tired, "Char.Vitals", { sp: 5 });
  tired.press("dodge", 100_000, null);
  assert.deepEqual(predictions(tired), ["", ""]);
  tired.press("unheard-of", 100_000, null);
  assert.equal(tired.presses.length, 1);
});

test("answers belong to presses in their order", () => {
  const state = fighting();
  state.press("parry", 100_000, null);
  state.press("dodge", 700_000, null);
  assert.deepEqual(predictions(state), ["parried", "dodged"]);
  tell(state, "Combat.Result", { ok: false, why: "no", at: 1 });
  assert.equal(state.presses[0].reaction.name, "dodge");
});

test("threats without end do not grow without end", () => {
  const state = new WorldState();
  for (let id = 0; id < 500; id += 1) {
    tell(state, "Combat.Threat.Add", { id, at: 1, us: 5 });
  }
  assert.equal(state.threats.size, 64);
  tell(state, "Combat.Threat.Gone", { id: 400, why: "landed" });
  assert.equal(state.gone.length, 0);
});

test("with a lost line threats and presses are forgotten, the place is not", () => {
  const state = fighting();
  tell(state, "Room.Info", { name: "Lane" });
  state.press("parry", 100_000, null);
  state.forgetFight();
  assert.deepEqual([state.threats.size, state.presses.length, state.lockedUntilUs], [0, 0, 0]);
  assert.equal(state.room.name, "Lane");
});

test("a spectator has no body, and a player who comes in later has one", () => {
  const state = new WorldState();
  tell(state, "Welcome", { body: null, name: "", watching: "Market square" });
  assert.deepEqual([state.watching, state.name], [true, ""]);
  tell(state, "Welcome", { body: 5, name: "Ann" });
  assert.deepEqual([state.watching, state.name], [false, "Ann"]);
});

test("the reason of a refused reaction is shown until something else happens", () => {
  const refused = () => {
    const state = fighting();
    tell(state, "Combat.Result", { ok: false, why: "there is nothing to dodge", at: 1 });
    assert.equal(state.refusal, "there is nothing to dodge");
    return state;
  };
  const [came, went, pressed, vitals] = [refused(), refused(), refused(), refused()];
  tell(came, "Combat.Threat.Add", { id: 9, from: 7, name: "wolf", kind: "bite", at: 5, us: 3_000_000 });
  tell(went, "Combat.Threat.Gone", { id: 1, why: "landed", damage: 3 });
  pressed.press("parry", 100_000, null);
  assert.deepEqual([came.refusal, went.refusal, pressed.refusal], ["", "", ""]);
  tell(vitals, "Char.Vitals", { sp: 5 });
  assert.equal(vitals.refusal, "there is nothing to dodge");
});
