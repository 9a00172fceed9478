import type { FetchSourceOptions } from "../../src/source/fetch-job.js";
import { FetchSource } from "../../src/source/fetch-source.js";

/** A server response created by a test. */
export type Reply = () => Response | Promise<Response>;

export const OPAQUE: Reply = () => Promise.reject(new TypeError("Failed to fetch"));
export const body = Uint8Array.from({ length: 100 }, (_, i) => i);
export const ok: Reply = () => new Response(body);
export const status =
	(code: number, headers: Record<string, string> = {}): Reply =>
	() =>
		new Response("", { status: code, headers });
export const part =
	(begin: number, end: number, header: string | null): Reply =>
	() => {
		const headers: Record<string, string> = header ? { "Content-Range": header } : {};
		return new Response(body.slice(begin, end), { status: 206, headers });
	};

/**
 * Returns a source whose n-th request for a key gets that key's n-th reply, then always
 * its last.
 */
export function sourceOf(
	replies: Record<string, Reply[]>,
	options: FetchSourceOptions = {},
	base = `https://${Math.random().toString(36).slice(2)}.test/set.zarr`,
	missing: Reply = status(404),
) {
	const asked: { key: string; range: string | null }[] = [];
	const fetch = async (url: URL, init: RequestInit): Promise<Response> => {
		init.signal?.throwIfAborted();
		const key = url.pathname.replace("/set.zarr/", "");
		asked.push({ key, range: new Headers(init.headers).get("Range") });
		const list = replies[key] ?? [missing];
		return (list.length > 1 ? list.shift() : list[0])?.() ?? new Response();
	};
	const source = new FetchSource(base, { fetch, retry: { delayMs: 1 }, ...options });
	return { source, asked };
}
