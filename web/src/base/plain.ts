import { hasMembers, refuse } from "./arguments.js";

/** Whether JSON has this value, which it writes as `null` or leaves out otherwise. */
function isPlain(value: unknown): boolean {
	if (typeof value === "number") return Number.isFinite(value);
	if (typeof value === "string" || typeof value === "boolean") return true;
	if (!hasMembers(value) && !Array.isArray(value)) return false;
	return Object.values(Object(value)).every((one) => one === undefined || isPlain(one));
}

/** Checks an argument that becomes JSON. */
export function checkPlain(of: string, value: unknown): void {
	if (value !== undefined && !isPlain(value))
		refuse(of, value, "strings, numbers, true, false, lists or objects of these");
}
