const FORMAT = new Intl.NumberFormat('en')

/** `1,234`. */
export function count(value: number): string {
  return FORMAT.format(value)
}

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** `1.2K`. */
export function compact(value: number): string {
  return COMPACT.format(value)
}

/** `1 prompt`, `2 prompts`. */
export function plural(value: number, word: string): string {
  return `${count(value)} ${word}${value === 1 ? '' : 's'}`
}

/** Counts Unicode characters, not UTF-16 code units as `length` does. */
export function charactersIn(text: string): number {
  let characters = 0
  for (const _ of text) characters++
  return characters
}

/**
 * Estimates tokens for every model: one per four characters. Real tokenizers differ by language and
 * model, and none of them is small.
 */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / 4)
}

/** `1,234 characters · ≈ 309 tokens`. */
export function sizeOf(characters: number, separator = ' · '): string {
  return `${count(characters)} characters${separator}≈ ${count(estimateTokens(characters))} tokens`
}

/** The label of {@link estimateTokens} in the page. */
export const ESTIMATE = 'characters ÷ 4'

const TIME = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** `14:05`, of milliseconds since 1970. */
export function clockTime(time: number): string {
  return TIME.format(time)
}
