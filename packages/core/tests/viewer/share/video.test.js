import assert from "node:assert/strict";
import { test } from "node:test";
import { VIDEO_SECONDS_MAX, spanProblem } from "../../../src/turnwright/viewer/share/video.js";
import { sizeOf } from "../../../src/turnwright/viewer/share/picture.js";

test("a span has to be in the battle, forwards, and not too long", () => {
  assert.equal(spanProblem(10, 20, 30), "");
  assert.notEqual(spanProblem(NaN, 20, 30), "");
  assert.notEqual(spanProblem(20, 20, 30), "");
  const most = VIDEO_SECONDS_MAX * 30;
  assert.equal(spanProblem(0, most, 30), "");
  assert.ok(spanProblem(0, most + 1, 30).includes(String(VIDEO_SECONDS_MAX)));
  assert.equal(spanProblem(0, most + 1, 60), "", "at twice the speed it is short enough");
});

test("a picture is even in both directions, not wider than asked, and has room for its caption", () => {
  assert.deepEqual(sizeOf(1000, 500, 3840), { width: 1000, height: 530, caption: 30 });
  const video = sizeOf(3841, 2161, 1280);
  assert.equal(video.width, 1280);
  assert.deepEqual([video.width % 2, video.height % 2], [0, 0]);
  assert.ok(sizeOf(1, 1, 1280).height > 2);
});
