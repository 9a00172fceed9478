import { assign, made, names } from "./attributes.js";

/** Returns the viewer as an input: its value is the position. */
export function viewer({ height = 480, ...given } = {}) {
	const unknown = Object.keys(given).find((name) => !names.includes(name));
	if (unknown !== undefined) {
		const known = ["height", ...names].join(", ");
		throw new TypeError(`viewer: unknown option "${unknown}" (expected ${known})`);
	}
	const input = made(height);
	for (const [name, value] of Object.entries(given)) assign(input, name, value);
	Object.defineProperty(input, "value", {
		get: () => ({ scene: input.scene, frame: input.frame, track: input.selection }),
		set: ({ scene = input.scene, frame = input.frame }) => input.goTo(scene, frame),
	});
	for (const event of ["frame-change", "selection-change"]) {
		input.addEventListener(event, () =>
			input.dispatchEvent(new Event("input", { bubbles: true })),
		);
	}
	return input;
}
