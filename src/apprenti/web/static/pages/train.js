// @ts-check
// Begin to learn: choose a learner, fill in its form. The form is what the server says of the learner's options.

import { h, labelled, select, show, toast } from "../dom.js";
import { commandLine, pupil, school } from "../lab/common.js";
import { get, post } from "../server.js";
import { text } from "../texts.js";

const WAIT = 250;

export async function open(main, { rest, query }) {
  if (rest[0]) return form(main, rest[0], query.get("like") ?? "");
  const { methods } = await get("/api/methods");
  show(
    main,
    h(
      "div",
      { class: "lab" },
      h("section", { class: "hero" }, h("h1", {}, text("train.title")), h("p", {}, text("train.about"))),
      h(
        "section",
        { class: "cards method-cards" },
        methods.map((method) =>
          h(
            "a",
            { class: "card game", href: `#/train/${encodeURIComponent(method.name)}` },
            h("h3", {}, method.name),
            h("p", { class: "sentence" }, method.about),
          ),
        ),
      ),
    ),
  );
}

async function form(main, method, like) {
  const [about, seen, former] = await Promise.all([
    get(`/api/methods/${encodeURIComponent(method)}`),
    school(),
    like ? get(`/api/runs/${encodeURIComponent(like)}`) : null,
  ]);
  const fields = about.fields.map((field) => fieldOf(field));
  const name = h("input", { type: "text", id: "run-name", maxlength: 80, autocomplete: "off", spellcheck: false });
  const nameWrong = h("small", { class: "wrong", role: "alert" });
  const nameField = h(
    "label",
    { class: "field" },
    h("span", { class: "field-name" }, text("train.name")),
    name,
    h("small", {}, text("train.name.help")),
    nameWrong,
  );
  const general = h("p", { class: "sentence", id: "refused", role: "alert" });
  const command = commandLine();
  const begin = h("button", { class: "primary", id: "begin" }, text("train.begin"));

  const asked = () =>
    Object.fromEntries(fields.filter((field) => field.isChanged()).map((field) => [field.name, field.value()]));
  const blame = (error) => {
    for (const field of fields) field.refuse(error?.field === field.name ? error.message : "");
    const shown = fields.some((field) => field.name === error?.field);
    nameWrong.textContent = error?.field === "name" && !shown ? error.message : "";
    general.textContent = error && !shown && error.field !== "name" ? error.message : "";
    if (shown)
      fields
        .find((field) => field.name === error.field)
        .element.closest("details")
        ?.setAttribute("open", "");
  };
  let timer = 0;
  let number = 0;
  const check = async () => {
    number += 1;
    const mine = number;
    try {
      const answer = await post("/api/command", { method, options: asked(), name: name.value.trim() });
      if (mine === number) {
        command.tell(answer.command);
        blame(null);
      }
    } catch (error) {
      if (mine === number) blame(error);
    }
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(check, WAIT);
  };
  const fill = (options) => {
    for (const field of fields) field.set(options[field.name] ?? field.usual);
    check();
  };
  begin.onclick = async () => {
    clearTimeout(timer);
    number += 1;
    begin.disabled = true;
    try {
      const wanted = { method, options: asked(), name: name.value.trim(), who: pupil() };
      location.hash = `#/run/${encodeURIComponent((await post("/api/train", wanted)).run)}`;
    } catch (error) {
      blame(error);
      if (!error.field) toast(error.message);
    }
    begin.disabled = false;
  };

  const presets = [
    ["", text("train.usual")],
    ...(former ? [["like", text("train.copy", like)]] : []),
    ...about.presets.map((preset, at) => [
      String(at),
      preset.from ? `${preset.from}: ${preset.title}` : text("train.minute"),
    ]),
  ];
  const chooser = select(
    presets,
    former ? "like" : "",
    (value) => fill(value === "like" ? former.config : value === "" ? {} : about.presets[Number(value)].options),
    { id: "preset" },
  );
  const shown = fields.filter((field) => !seen.options.length || seen.options.includes(field.name));
  show(
    main,
    h(
      "section",
      { class: "card form wide lab", oninput: later, onchange: later },
      h("h1", {}, method),
      h("p", { class: "dim" }, about.about),
      h("div", { class: "fields" }, labelled(text("train.preset"), chooser), nameField),
      h(
        "details",
        { open: true },
        h("summary", {}, text("train.more")),
        h(
          "div",
          { class: "fields" },
          shown.map((field) => field.element),
        ),
      ),
      general,
      h("h2", {}, text("train.command")),
      command.element,
      h("div", { class: "row end" }, begin),
    ),
  );
  fill(former ? former.config : {});
  return () => clearTimeout(timer);
}

/** One option: its field, what is in it, and what the learner says against it. */
function fieldOf(field) {
  const id = `train-${field.name}`;
  const [input, read, write] = inputOf(field, id);
  const wrong = h("small", { class: "wrong", id: `${id}-wrong`, role: "alert" });
  input.setAttribute("aria-describedby", `${id}-wrong`);
  const element = h(
    "label",
    { class: "field", "data-field": field.name },
    h("span", { class: "field-name", lang: "en" }, field.name.replaceAll("_", " ")),
    input,
    h("small", {}, field.help),
    wrong,
  );
  return {
    name: field.name,
    usual: field.default,
    element,
    value: read,
    set: write,
    isChanged: () => JSON.stringify(read()) !== JSON.stringify(field.default),
    refuse: (sentence) => {
      wrong.textContent = sentence;
      element.classList.toggle("refused", Boolean(sentence));
    },
  };
}

/** The element, what it says, and how to fill it in. What is no number is sent as typed: the learner says why not. */
function inputOf(field, id) {
  const numeric = (words) => (words.trim() === "" || Number.isNaN(Number(words)) ? words : Number(words));
  if (field.kind === "bool") {
    const box = h("input", { id, type: "checkbox" });
    return [
      box,
      () => box.checked,
      (value) => {
        box.checked = value;
      },
    ];
  }
  if (field.choices.length) {
    const list = select(
      field.choices.map((choice) => [String(choice), String(choice) || "–"]),
      "",
      () => {},
      { id },
    );
    return [
      list,
      () => (field.kind === "str" ? list.value : numeric(list.value)),
      (value) => {
        list.value = String(value);
      },
    ];
  }
  const attributes = {
    id,
    type: "text",
    autocomplete: "off",
    spellcheck: false,
    ...(field.kind === "str" ? {} : { inputmode: "decimal" }),
  };
  if (field.kind.startsWith("list")) {
    const line = h("input", { ...attributes, placeholder: text("train.list") });
    const words = () => line.value.split(/[\s,]+/).filter(Boolean);
    return [
      line,
      () => (field.kind === "list str" ? words() : words().map(numeric)),
      (value) => {
        line.value = value.join(" ");
      },
    ];
  }
  const line = h("input", attributes);
  return [
    line,
    () => (field.kind === "str" ? line.value : numeric(line.value)),
    (value) => {
      line.value = String(value);
    },
  ];
}
