import { pluralize } from '../../core/text/pluralize.ts'

/**
 * Estimates tokens for every model: one per four characters. Real tokenizers differ by language and
 * model, and none of them is small.
 */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / 4)
}

/** `1,234 characters, about 309 tokens`. */
export function sizeOf(characters: number): string {
  return `${pluralize(characters, 'character')}, about ${pluralize(estimateTokens(characters), 'token')}`
}

const TIME = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** `14:05`, of milliseconds since 1970. */
export function clockTime(time: number): string {
  return TIME.format(time)
}
