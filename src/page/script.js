// The only script of the page. Documents work without it: it draws one again when something is new, filters the
// list, copies texts, and keeps what a person types.
{
  const find = (selector) => document.querySelector(selector)
  const on = addEventListener

  const isTyped = (node) =>
    node.dataset?.typed ||
    [...(node.querySelectorAll?.('input, textarea') ?? [])].some(
      ({ value, defaultValue }) => value !== defaultValue,
    )

  /** Makes a node like a new one. What a person typed, opened or scrolled stays. */
  const renew = (old, now) => {
    if (old.isEqualNode(now) || (old.method && isTyped(old))) return
    if (old.nodeType !== Node.ELEMENT_NODE) {
      old.data = now.data
      return
    }
    for (const name of old.getAttributeNames())
      if (name !== 'open' && !now.hasAttribute(name)) old.removeAttribute(name)
    for (const { name, value } of now.attributes) if (name !== 'open') old.setAttribute(name, value)
    let next = old.firstChild
    for (const child of now.childNodes) {
      let twin = next
      while (twin && (twin.nodeName !== child.nodeName || twin.id !== child.id))
        twin = twin.nextSibling
      if (twin) while (next !== twin) next = removed(next)
      else old.insertBefore(document.importNode(child, true), next)
      if (twin) {
        renew(twin, child)
        next = twin.nextSibling
      }
    }
    while (next) next = removed(next)
    // An edited field no longer follows its text.
    if (old.type === 'textarea') old.value = old.defaultValue
  }

  const removed = (node) => {
    const next = node.nextSibling
    if (!isTyped(node)) node.remove()
    return next
  }

  const searchable = (text) =>
    text
      .toLowerCase()
      .replace(/[-_/\s]+/g, ' ')
      .trim()

  /** Shows the rows with all words of an edited search. Enter asks the server, which also has the texts. */
  const filter = () => {
    const { value, defaultValue } = find('[type=search]')
    const words = value === defaultValue ? [] : searchable(value).split(' ')
    for (const folder of document.querySelectorAll('.folder')) {
      const [name, ...rows] = folder.querySelectorAll('h2, .row')
      for (const row of rows) {
        const text = searchable(`${name.textContent} ${row.textContent}`)
        row.hidden = !words.every((word) => text.includes(word))
      }
      folder.hidden = rows.every(({ hidden }) => hidden)
      if (words[0]) folder.open = true
    }
    const none = find('#none')
    if (none) none.hidden = find('.folder:not([hidden])')
  }

  let request

  /** Asks for the document again, unless it answered a form: its address has another. */
  const refresh = () => {
    if (find('[data-typed]')) return
    request?.abort()
    request = new XMLHttpRequest()
    // Parsed by the browser: no script handles HTML.
    request.responseType = 'document'
    request.open('GET', location.href)
    request.addEventListener('load', ({ target: { response, responseURL } }) => {
      if (!response || responseURL !== location.href.split('#')[0]) return
      document.title = response.title
      let isMoved
      // Rows stay where they are, since somebody may be deciding.
      for (const { id, parentNode: list } of document.querySelectorAll('.group .change')) {
        const row = response.getElementById(id)
        const same = response.getElementById(list.id)
        isMoved ||= row && row.parentNode !== same
        if (row) same?.append(row)
      }
      renew(document.body, response.body)
      if (isMoved) find('#moved').hidden = false
      filter()
    })
    request.send()
  }

  let events

  /** A hidden tab would use up one of the few connections of a browser. */
  const listen = () => {
    events?.close()
    if (document.hidden) return
    events = new EventSource('/events')
    const say = ({ type }) => {
      find('#lost').hidden = type !== 'error'
      if (type !== 'error') refresh()
    }
    for (const type of ['open', 'message', 'error']) events.addEventListener(type, say)
  }

  on('visibilitychange', listen)
  on('DOMContentLoaded', () => {
    listen()
    find('.row [aria-current]')?.scrollIntoView({ block: 'center' })
  })

  on('input', ({ target }) => target.type === 'search' && filter())

  on('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    if (key !== '/' || ctrlKey || metaKey || altKey || target.matches('input, textarea')) return
    event.preventDefault()
    find('[type=search]').select()
  })

  on('click', async ({ target }) => {
    const button = target.closest('[data-copy]')
    if (!button) return
    const label = button.firstChild
    label.textContent = await navigator.clipboard.writeText(JSON.parse(button.dataset.copy)).then(
      () => 'Copied',
      () => 'Not copied',
    )
    setTimeout(() => (label.textContent = 'Copy'), 1600)
  })

  let sent

  on('submit', (event) => {
    if (event.submitter?.name === 'open') return
    if (sent) event.preventDefault()
    sent ??= event.target
  })
  on('pageshow', () => (sent = undefined))
  on('beforeunload', (event) => {
    const isLost = (form) => form !== sent && form.method === 'post' && isTyped(form)
    if (![...document.forms].some(isLost)) return
    event.preventDefault()
    sent = undefined
  })
}
