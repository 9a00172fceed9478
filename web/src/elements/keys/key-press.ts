/** The part of a `KeyboardEvent` that keys are recognized by. */
export type KeyPress = Pick<
	KeyboardEvent,
	| "altKey"
	| "composedPath"
	| "ctrlKey"
	| "defaultPrevented"
	| "getModifierState"
	| "isComposing"
	| "key"
	| "metaKey"
	| "preventDefault"
	| "repeat"
	| "shiftKey"
>;

/** Returns a copy that can be handled after the event. */
export function keptPress(event: KeyboardEvent): KeyPress {
	const { altKey, ctrlKey, defaultPrevented, isComposing } = event;
	const { key, metaKey, repeat, shiftKey } = event;
	const path = event.composedPath();
	const typed = event.getModifierState("AltGraph");
	return {
		...{ altKey, ctrlKey, defaultPrevented, isComposing },
		...{ key, metaKey, repeat, shiftKey },
		composedPath: () => path,
		getModifierState: (name) => name === "AltGraph" && typed,
		preventDefault: () => {},
	};
}

/** Elements that handle these keys themselves. */
const OWN = "input, textarea, select, button, summary, a, [contenteditable]";

/** Returns whether the browser would scroll or search the page for the key. */
export function scrollsPage(event: KeyboardEvent): boolean {
	const [target] = event.composedPath();
	if (event.ctrlKey || event.metaKey) return false;
	if (target instanceof Element && target.matches(OWN)) return false;
	return /^([ /]|Arrow\w+|Home|End)$/.test(event.key);
}
