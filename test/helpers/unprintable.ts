/** Controls, lone surrogates, line separators, and characters that turn the reading direction. */
export const UNPRINTABLE: RegExp = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b]/u
