import { BevError } from "../base/errors.js";
import { Handles } from "./handles.js";
import type { Owned } from "./owned.js";

/** Why an object is not there, by the argument as which it is passed. */
const LOST: Readonly<Record<string, string>> = {
	map: "map: released, or lost in a failure",
	aerial: "aerial image: released, or lost in a failure",
	items: "agents: index lost in a failure; call index() again",
	valid_agents: "agents: index lost in a failure; call index() again",
	selection: "selection: lost in a failure",
	simulation: "simulation: released, or lost in a failure",
};

/** Objects of operations, by the ids that a client chose for them. */
export class OwnedObjects extends Handles<Owned<string>> {
	constructor() {
		super("object: released, or lost in a failure");
	}

	/** Returns the objects of ids in the core. Throws if one is unknown. */
	handlesOf(
		ids: Readonly<Record<string, number | undefined>> = {},
	): Record<string, number | undefined> {
		const all = Object.entries(ids).map(([name, id]) => {
			if (id === undefined) return [name, undefined];
			const object = this.get(id);
			if (object) return [name, object.handle];
			throw new BevError("invalid_argument", LOST[name] ?? `${name}: released`);
		});
		return Object.fromEntries(all) as Record<string, number | undefined>;
	}
}
