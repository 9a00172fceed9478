/** The part of Trusted Types that is used. */
interface Factory {
	createPolicy(
		name: string,
		rules: { createScriptURL(address: string): string },
	): { createScriptURL(address: string): unknown };
}

/** Name of the policy, for the directive `trusted-types`. */
const POLICY = "bevscope";

/** Not handed out: it trusts every address. */
let policy: ReturnType<Factory["createPolicy"]> | undefined;

/**
 * Returns `address` for the constructor of a worker: as a TrustedScriptURL where the browser
 * has them, so that pages may require them. Throws if the page does not allow the policy.
 */
export function scriptAddress(address: string): string {
	const { trustedTypes } = globalThis as { trustedTypes?: Factory };
	if (!trustedTypes) return address;
	policy ??= trustedTypes.createPolicy(POLICY, { createScriptURL: (given) => given });
	return policy.createScriptURL(address) as string;
}
