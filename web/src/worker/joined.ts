import type { CoreMixture, CoreModule, CoreReaderOrder } from "../core.js";
import { BevError } from "../errors.js";
import type { JoinedQuery, ReaderChoice } from "./protocol.js";

/**
 * Answers a query about the order of several readers. Nothing is kept: the page has the
 * position.
 */
export function askJoined(
	core: CoreModule,
	{ mixture, state, exhausted, readers, want }: JoinedQuery,
): string {
	const order = orderOf(core, mixture, readers.length);
	try {
		if (want === "readers") return JSON.stringify(order.readerStates(state ?? ""));
		if (state !== undefined) order.restore(state);
		for (let i = 0; i < exhausted; i += 1) order.exhausted();
		if (want === "state") return order.state(readers);
		const reader = order.choice();
		if (reader >= 0) order.took?.();
		const choice: ReaderChoice = { reader, state: order.state(readers) };
		return JSON.stringify(choice);
	} finally {
		order.delete();
	}
}

function orderOf(
	core: CoreModule,
	mixture: string | undefined,
	readers: number,
): CoreReaderOrder & Partial<CoreMixture> {
	const order =
		mixture === undefined ? core.concatenation?.(readers) : core.mixture?.(mixture);
	if (!order) throw lacking();
	return order;
}

/** Returns the error for a module without readers. */
export function lacking(): BevError {
	const said = "reader: not in this module (expected bev_stream.wasm)";
	return new BevError("unsupported", said);
}
