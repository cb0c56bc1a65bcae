/** Node runs a timer at once when its delay, in milliseconds, does not fit 32 bits. */
export const MAX_TIMER_DELAY: number = 2 ** 31 - 1
