import { formatCount } from '../../core/text/pluralize.ts'

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** `1.2K`. */
export function compact(value: number): string {
  return COMPACT.format(value)
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
  return `${formatCount(characters)} characters${separator}≈ ${formatCount(estimateTokens(characters))} tokens`
}

/** The label of {@link estimateTokens} in the page. */
export const ESTIMATE = 'characters ÷ 4'

const TIME = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** `14:05`, of milliseconds since 1970. */
export function clockTime(time: number): string {
  return TIME.format(time)
}
