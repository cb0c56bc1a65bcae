import { linkFrom, type Place, printRoute, type Route } from './route.ts'
import { learn, page, readAddress, writeAddress } from './store.ts'

/** The address of a place for a link: see {@link linkFrom}. */
export function linkTo(place: Place): string {
  return linkFrom(page().route, place)
}

/** Opens a place as a link would. */
export function go(place: Place): void {
  location.hash = linkTo(place)
  readAddress()
}

/** Opens a route with exactly its settings. */
export function open(route: Route): void {
  location.hash = printRoute(route)
  readAddress()
}

/** The possible values of a setting; the first one is the default, which the URL leaves out. */
export type Options<Value extends string> = readonly [
  { readonly value: Value; readonly label: string },
  ...{ readonly value: Value; readonly label: string }[],
]

/** The value of a setting of the view, which is kept in the URL. */
export function settingOf<Value extends string>(name: string, options: Options<Value>): Value {
  const text = page().route.settings.get(name)
  return (options.find(({ value }) => value === text) ?? options[0]).value
}

/** Milliseconds before a setting is written to the URL: browsers limit how often it may change. */
const WRITE_DELAY = 150

let writing: ReturnType<typeof setTimeout> | undefined

/** Changes a setting without a new entry in the history; an empty text resets it. */
export function set(name: string, text: string): void {
  readAddress()
  const { place, settings } = page().route
  const others = [...settings].filter(([other]) => other !== name)
  const changed = text === '' ? others : [...others, [name, text] as const]
  learn({ route: { place, settings: new Map(changed) } })
  clearTimeout(writing)
  const from = location.hash
  writing = setTimeout(() => {
    // A link may have been followed in the meantime.
    if (location.hash === from) writeAddress()
  }, WRITE_DELAY)
}
