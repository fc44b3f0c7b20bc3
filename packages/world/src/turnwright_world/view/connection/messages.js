/**
 * Reads messages of the form "Package.Name json" into checked values.
 *
 * Messages are not trusted. Invalid numbers become 0, texts are cut, and lists are bounded, so that no message can
 * make the page slow.
 */

const PACKAGE = /^[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*$/;
const PACKAGE_CHARS_MAX = 64;
const TEXT_CHARS_MAX = 4000;
const NAME_CHARS_MAX = 80;
const LIST_MAX = 100;
const MAP_PLACES_MAX = 120;
const MAP_WAYS_MAX = 960;
const CELL_MAX = 1000;

/** @typedef {Record<string, unknown>} Fields */
/** @typedef {{ name: string, data: Fields }} Message */
/** @typedef {{ id: number, from: number, name: string, kind: string, at: number, us: number }} ThreatData */
/** @typedef {{ id: number, name: string, kind: string, state: string, doing: string, player: boolean, linkdead: boolean }} Present */
/** @typedef {{ id: number, name: string }} Thing */
/** @typedef {{ id: string, name: string, area: string, desc: string, exits: string[], known: Record<string, string>, doors: Record<string, Door>, here: Present[], hereMore: number, items: Thing[] }} Room */
/** @typedef {{ name: string, shut: boolean }} Door */
/** A place that the character has seen, and its cell. x grows to the east, y to the south. @typedef {{ id: string, name: string, area: string, x: number, y: number }} MapPlace */
/** start, end: positions in the list of places. back: the way back, "" = none. @typedef {{ start: number, end: number, way: string, back: string }} MapLink */
/** stubs: ways to places that the character has not seen. @typedef {{ places: MapPlace[], links: MapLink[], stubs: { place: number, way: string }[], more: number }} WorldMap */
/** A reason why a reaction does nothing. untilUs: when the reason ends by itself, 0 = never. @typedef {{ code: string, text: string, untilUs: number }} Block */
/** @typedef {{ hp: number, maxhp: number, sp: number, maxsp: number, money: number }} Vitals */
/** @typedef {"id" | "first" | "all" | "band"} Clears */
/** @typedef {{ name: string, clears: Clears, stamina: number, lockoutUs: number, bandUs: number, kinds: string[], why: string, short: string[], shortThreatened: string[] }} Reaction */

/**
 * Read a text frame. Return null if it is not a message.
 * @param {string} frame
 * @returns {Message | null}
 */
export function readMessage(frame) {
  const space = frame.indexOf(" ");
  const name = space < 0 ? frame : frame.slice(0, space);
  if (name.length > PACKAGE_CHARS_MAX || !PACKAGE.test(name)) {
    return null;
  }
  try {
    const value = space < 0 ? {} : JSON.parse(frame.slice(space + 1));
    return { name, data: fields(value) };
  } catch {
    return null;
  }
}

/**
 * Return the checked message of a packed frame, or null if its name is not valid.
 * @param {{ name: string, data: unknown } | null} message
 * @returns {Message | null}
 */
export function checked(message) {
  if (message === null || message.name.length > PACKAGE_CHARS_MAX || !PACKAGE.test(message.name)) {
    return null;
  }
  return { name: message.name, data: fields(message.data) };
}

/**
 * @param {unknown} value
 * @returns {Fields} an object's fields, or none for any other value
 */
export function fields(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? /** @type {Fields} */ (value) : {};
}

/**
 * @param {unknown} value
 * @param {number} [otherwise]
 */
export function number(value, otherwise = 0) {
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
}

/**
 * A text without control characters, cut to a maximum length.
 * @param {unknown} value
 * @param {number} [most]
 */
export function text(value, most = NAME_CHARS_MAX) {
  return typeof value === "string" ? value.slice(0, most).replace(/[\u0000-\u001f\u007f-\u009f]/g, " ") : "";
}

/**
 * The items of a list, up to a maximum number. Any other value has none.
 * @param {unknown} value
 * @returns {unknown[]}
 */
export function list(value) {
  return Array.isArray(value) ? value.slice(0, LIST_MAX) : [];
}

/**
 * @param {unknown} value
 * @returns {ThreatData | null}
 */
export function readThreat(value) {
  const data = fields(value);
  const threat = {
    id: number(data.id, -1),
    from: number(data.from),
    name: text(data.name) || "somebody",
    kind: text(data.kind) || "blow",
    at: number(data.at, -1),
    us: number(data.us, -1),
  };
  return threat.id < 0 || threat.at < 0 || threat.us <= 0 ? null : threat;
}

/**
 * @param {Fields} data
 * @returns {Room}
 */
export function readRoom(data) {
  const here = list(data.here).map((value) => readPresent(fields(value)));
  const exits = Object.keys(fields(data.exits)).slice(0, LIST_MAX).map((way) => text(way));
  const [known, doors] = [fields(data.known), fields(data.doors)];
  return {
    id: text(data.id),
    name: text(data.name),
    area: text(data.area),
    desc: text(data.desc, TEXT_CHARS_MAX),
    exits,
    known: Object.fromEntries(exits.filter((way) => Object.hasOwn(known, way)).map((way) => [way, text(known[way])])),
    doors: Object.fromEntries(exits.filter((way) => Object.hasOwn(doors, way)).map((way) => [way, readDoor(doors[way])])),
    here,
    hereMore: Math.max(0, number(data.here_count) - here.length),
    items: readThings(data.items),
  };
}

/**
 * @param {unknown} value
 * @returns {Door}
 */
function readDoor(value) {
  const data = fields(value);
  return { name: text(data.name) || "door", shut: data.shut === true };
}

/**
 * A map, without links and stubs that name a missing place.
 * @param {Fields} data
 * @returns {WorldMap}
 */
export function readMap(data) {
  /** @param {unknown} value @param {number} most */
  const rows = (value, most) => (Array.isArray(value) ? value : []).slice(0, most).map(list);
  const places = rows(data.places, MAP_PLACES_MAX).map(([id, name, area, x, y]) => ({
    id: text(id),
    name: text(name),
    area: text(area),
    x: cell(x),
    y: cell(y),
  }));
  /** @param {number} nth */
  const there = (nth) => places[nth] !== undefined;
  return {
    places,
    links: rows(data.links, MAP_WAYS_MAX)
      .map(([start, end, way, back]) => ({ start: number(start, -1), end: number(end, -1), way: text(way), back: text(back) }))
      .filter((link) => there(link.start) && there(link.end)),
    stubs: rows(data.stubs, MAP_WAYS_MAX)
      .map(([place, way]) => ({ place: number(place, -1), way: text(way) }))
      .filter((stub) => there(stub.place)),
    more: Math.max(0, number(data.more)),
  };
}

/** @param {unknown} value */
function cell(value) {
  return Math.max(-CELL_MAX, Math.min(CELL_MAX, Math.trunc(number(value))));
}

/**
 * The reasons why reactions would do nothing, by the name of the reaction.
 * @param {Fields} data
 * @returns {Map<string, Block[]>}
 */
export function readBlocks(data) {
  return new Map(
    list(data.reactions).map(fields).map((one) => [
      text(one.name, 32),
      list(one.blocks).map(fields).map((block) => ({
        code: text(block.code, 32),
        text: text(block.text, 200),
        untilUs: number(block.until_us),
      })),
    ]),
  );
}

/**
 * @param {Fields} data
 * @returns {Present}
 */
function readPresent(data) {
  return {
    id: number(data.id),
    name: text(data.name) || "somebody",
    kind: text(data.kind),
    state: text(data.state),
    doing: text(data.doing),
    player: data.player === true,
    linkdead: data.linkdead === true,
  };
}

/**
 * @param {unknown} value
 * @returns {Thing[]}
 */
export function readThings(value) {
  return list(value).map((one) => ({ id: number(fields(one).id), name: text(fields(one).name) || "something" }));
}

/**
 * @param {Fields} data
 * @returns {Vitals}
 */
export function readVitals(data) {
  return {
    hp: number(data.hp),
    maxhp: number(data.maxhp),
    sp: number(data.sp),
    maxsp: number(data.maxsp),
    money: number(data.money),
  };
}

/**
 * @param {unknown} value
 * @returns {Reaction}
 */
export function readReaction(value) {
  const data = fields(value);
  const clears = text(data.clears);
  return {
    name: text(data.name, 32),
    clears: clears === "all" || clears === "first" || clears === "band" ? clears : "id",
    stamina: number(data.stamina),
    lockoutUs: number(data.lockout_us),
    bandUs: number(data.band_us),
    kinds: list(data.kinds).map((kind) => text(kind)),
    why: text(data.why) || "cleared",
    short: list(data.short).map((word) => text(word, 32)),
    shortThreatened: list(data.short_threatened).map((word) => text(word, 32)),
  };
}
