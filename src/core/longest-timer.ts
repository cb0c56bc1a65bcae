/** Node runs a timer at once when its delay, in milliseconds, does not fit 32 bits. */
export const LONGEST_TIMER: number = 2 ** 31 - 1
