import { BevError, toBevError } from "../errors.js";
import type { WireError } from "./protocol.js";

export function toWire(thrown: unknown): WireError {
	const { code, message, url, key, status, stack } = toBevError(thrown);
	return { code, message, url, key, status, stack };
}

export function fromWire({ code, message, stack, ...options }: WireError): BevError {
	const error = new BevError(code, message, options);
	if (stack !== undefined) error.stack = stack;
	return error;
}
