/** What the certainty of an agent is. */
export const CERTAINTY =
	"Probability that it is of one of the classes from car to animal; agents above the limit are shown, as in L5Kit";
