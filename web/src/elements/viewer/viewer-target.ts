import { BevElement } from "../ui/bev-element.js";
import type { ViewerEventDetails } from "./viewer-events.js";

/** Events of `bev-viewer` by name, with their details, and those of all elements. */
export type ViewerEventMap = Omit<HTMLElementEventMap, keyof ViewerEventDetails> & {
	[K in keyof ViewerEventDetails]: CustomEvent<ViewerEventDetails[K]>;
};

/** A listener of one event. */
export type ViewerListener<K extends keyof ViewerEventMap> = (
	event: ViewerEventMap[K],
) => unknown;

/**
 * Knows the types of the viewer's events. They are not added to `HTMLElementEventMap`,
 * because other libraries have events of the same names.
 */
export abstract class ViewerTarget extends BevElement {
	/** Listens to an event of the viewer; `detail` has the event's type. */
	override addEventListener<K extends keyof ViewerEventMap>(
		type: K,
		listener: ViewerListener<K>,
		options?: boolean | AddEventListenerOptions,
	): void;
	override addEventListener(
		type: string,
		listener: EventListenerOrEventListenerObject | null,
		options?: boolean | AddEventListenerOptions,
	): void;
	override addEventListener(
		type: string,
		listener: unknown,
		options?: boolean | AddEventListenerOptions,
	): void {
		super.addEventListener(type, listener as EventListener, options);
	}

	/** Removes a listener of an event of the viewer. */
	override removeEventListener<K extends keyof ViewerEventMap>(
		type: K,
		listener: ViewerListener<K>,
		options?: boolean | EventListenerOptions,
	): void;
	override removeEventListener(
		type: string,
		listener: EventListenerOrEventListenerObject | null,
		options?: boolean | EventListenerOptions,
	): void;
	override removeEventListener(
		type: string,
		listener: unknown,
		options?: boolean | EventListenerOptions,
	): void {
		super.removeEventListener(type, listener as EventListener, options);
	}
}
