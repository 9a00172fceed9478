/** The used part of Trusted Types. */
interface Factory {
	createPolicy(
		name: string,
		rules: { createScriptURL(address: string): string },
	): { createScriptURL(address: string): unknown };
}

/** Policy name for the directive `trusted-types`. */
const POLICY = "bevscope";

/** Private: it trusts every URL. */
let policy: ReturnType<Factory["createPolicy"]> | undefined;

/**
 * Returns `address` for a worker's constructor: a TrustedScriptURL if the browser
 * supports it, so that pages may require Trusted Types. Throws if the page does not
 * allow the policy.
 */
export function scriptAddress(address: string): string {
	const { trustedTypes } = globalThis as { trustedTypes?: Factory };
	if (!trustedTypes) return address;
	policy ??= trustedTypes.createPolicy(POLICY, { createScriptURL: (given) => given });
	return policy.createScriptURL(address) as string;
}
