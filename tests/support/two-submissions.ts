// Two scenarios and two submissions of them, of which the second is worse in one.

import type { Locator, Page } from "playwright-core";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { asideScenes, smoothScenes, submission } from "./submission.js";
import { LONG, tfrecords, waymoScenario } from "./waymo.js";

export const TWO = "/data/two.tfrecord-00000-of-00001";

/** Equal in scenario a; in b, the second is some metres aside. */
export const A = submission([
	{ id: "a", scenes: smoothScenes(4) },
	{ id: "b", scenes: smoothScenes(4, 1200) },
]);
export const B = submission(
	[
		{ id: "a", scenes: smoothScenes(4) },
		{ id: "b", scenes: asideScenes(4, 1200, 7) },
	],
	"other",
);

/** The scenarios and submissions as a server has them. */
export const twoSubmissions = (): Map<string, Uint8Array | string> =>
	new Map([
		[TWO, tfrecords(waymoScenario("a", 1000, LONG), waymoScenario("b", 1200, LONG))],
		["/data/a.binproto", A],
		["/data/b.binproto", B],
	]);

/** Links to the scenarios alone, and with both submissions. */
export const LINK = `v=1&src=${TWO}&f=11`;
export const BOTH = `${LINK}&ro=/data/a.binproto|/data/b.binproto`;

/** Returns the fragment of a link to what is seen. */
export const saved = (page: Page): Promise<string | undefined> =>
	page.evaluate(() => document.querySelector<Viewer>("bev-viewer")?.save());

/** The rows of a ranking. */
export const list = (page: Page): Locator =>
	page.getByRole("table", { name: /^Largest by / });
