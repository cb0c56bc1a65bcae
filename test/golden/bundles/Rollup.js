function toOpenAI(prompt, ...args) {
  const texts = Object.entries(storedTexts(prompt, prompt.render(...args)));
  const messages = texts.map(([role, content]) => ({ role, content }));
  return messages.length > 0 ? { messages } : {};
}
function storedTexts({ systemSource, userSource }, { system, user }) {
  return { ...systemSource && { system }, ...userSource && { user } };
}

var PromptVariableError = class extends Error {
  name = "PromptVariableError";
  constructor(slug, version, missing) {
    super(`${slug} ${version}: missing or invalid ${missing}`);
    this.slug = slug;
    this.version = version;
    this.missing = missing;
  }
};
var definePrompt = (slug, version, folder, model, temperature, environment, body, names = /* @__PURE__ */ new Set(), stored = body({}, (token) => names.add(token.slice(2, -2).trim()) && token), variables = [...names], refuse = (values) => {
  throw new PromptVariableError(
    slug,
    version,
    variables.filter((name) => !isUsable(values[name]))
  );
}, insert = (_, value, values) => isUsable(value) ? value : refuse(values)) => Object.freeze({
  slug,
  version,
  folder,
  model,
  temperature,
  environment,
  variables,
  source: stored.text,
  systemSource: stored.system,
  userSource: stored.user,
  render: (values) => body(values ?? {}, insert)
});
var isUsable = (value, type = typeof value) => type === "string" || type === "number" || type === "boolean" || type === "bigint";
var compose = (system, user, join, text, messages = [
  { role: "system", content: system },
  { role: "user", content: user }
]) => {
  if (!user) messages.pop();
  return { system, user, text: text ?? system + join + user, messages };
};

const p3268857161919772268 = /* @__PURE__ */ definePrompt("support-triage", "v22", "support", "gpt-5", 0.2, "live", (v, s) => compose("Sort the ticket.", "" + s("{{ ticket }}", v["ticket"], v), "\n\n"));

console.log(p3268857161919772268.render({ ticket: 'It beeps' }).text);
console.log(toOpenAI(p3268857161919772268, { ticket: 'It beeps' }));
