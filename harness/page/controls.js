// The form and its settings: sliders next to numbers, and the link with the settings.

const sineParts = ["amplitude", "frequency", "phase", "offset"];
const sineDefaults = { amplitude: 0, frequency: 1, phase: 0, offset: 0 };
const numbersOfReading = ["time", "acceleration", "normal"];
// The default sine: SDND104 at 15 m/s².
const plainInputs = { base_acceleration: { amplitude: 15, frequency: 1 } };
const inputSliders = {
  slope: { low: 0, high: 45, course: "linear" },
  "i-base_acceleration-amplitude": { low: 0, high: 50, course: "linear" },
  "i-base_acceleration-frequency": { low: 0.1, high: 100, course: "logarithmic" },
};

class Slider {
  constructor(number, range, { low, high, course }, positions) {
    this.number = number;
    this.range = range;
    this.ends = [low, high];
    this.course = course;
    this.positions = positions;
    range.addEventListener("input", () => {
      number.value = String(Number(this.valueAt(range.value / positions).toPrecision(3)));
      this.say();
    });
    number.addEventListener("input", () => this.follow());
  }

  valueAt(share) {
    const [low, high] = this.ends;
    if (this.course === "logarithmic") return low * (high / low) ** share;
    if (this.course === "linear") return low + share * (high - low);
    if (low >= 0) return high * share ** 3;
    return high * (2 * share - 1) ** 3;
  }

  shareOf(value) {
    const [low, high] = this.ends;
    if (this.course === "logarithmic") return Math.log(value / low) / Math.log(high / low);
    if (this.course === "linear") return (value - low) / (high - low);
    if (low >= 0) return Math.cbrt(value / high);
    return 0.5 + 0.5 * Math.cbrt(value / high);
  }

  follow() {
    const share = this.shareOf(Number(this.number.value));
    if (Number.isFinite(share)) this.range.value = Math.round(share * this.positions);
    this.say();
  }

  say() {
    const unit = this.number.parentElement.querySelector(".unit")?.textContent ?? "";
    this.range.setAttribute("aria-valuetext", `${this.number.value} ${unit}`.trim());
  }
}

class Controls {
  constructor(form, facts) {
    this.form = form;
    this.facts = facts;
    this.sliders = [];
    const add = (id, course) => {
      const slider = new Slider(element(id), element(`${id}-slider`), course, facts.slider_positions);
      this.sliders.push(slider);
    };
    for (const { name, slider } of facts.parameters) if (slider) add(`p-${name}`, slider);
    for (const [id, course] of Object.entries(inputSliders)) add(id, course);
    for (const { name, unit } of facts.parameters.filter(({ negative }) => negative)) {
      const [unset, input] = [element(`p-${name}-unset`), element(`p-${name}`)];
      unset.addEventListener("input", () => {
        if (!unset.checked && Number(input.value) < 0) input.value = unit ? "1" : "0.1";
      });
    }
    this.given = new Set(); // names of parameters that were set, even to their defaults
    form.addEventListener("input", ({ target }) => {
      const name = target.id.replace(/^p-|-slider$|-unset$/g, "");
      if (facts.parameters.some((one) => one.name === name)) this.given.add(name);
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    this.arrange();
  }

  // -- values of the form --

  settings() {
    const number = (id) => (element(id).value.trim() === "" ? NaN : Number(element(id).value));
    const parameters = Object.fromEntries(
      this.facts.parameters.map((one) => {
        const input = element(`p-${one.name}`);
        if (one.kind === "boolean") return [one.name, Number(input.checked)];
        if (one.kind === "choice") return [one.name, Number(input.value)];
        if (one.negative && element(`p-${one.name}-unset`).checked) return [one.name, one.default];
        return [one.name, number(`p-${one.name}`)];
      }),
    );
    const inputs = Object.fromEntries(
      this.facts.inputs.map(({ name }) => [
        name,
        Object.fromEntries(sineParts.map((part) => [part, number(`i-${name}-${part}`)])),
      ]),
    );
    const reading = {
      ...Object.fromEntries(numbersOfReading.map((part) => [part, Number(element(`read-${part}`).value)])),
      time_unit: element("read-time_unit").value,
      unit: element("read-unit").value,
      interval: Number(element("read-interval").value),
      scale: Number(element("read-scale").value),
      remove_mean: element("read-remove_mean").checked,
      substeps: Math.max(0, Math.round(Number(element("read-substeps").value))),
    };
    return {
      parameters,
      given: [...this.given],
      inputs,
      slope: number("slope"),
      stop_time: number("stop-time"),
      step_size: number("step-size"),
      record: element("motion-record").checked ? element("record-name").value : "",
      reading,
    };
  }

  // The first active control without a number, or an empty text.
  missing() {
    for (const input of this.form.querySelectorAll('input[type="number"]')) {
      const isOptional = input.id.startsWith("read-");
      if (isOptional || input.value.trim() !== "" || input.closest("[hidden]")) continue;
      const label = this.form.querySelector(`label[for="${input.id}"]`).textContent.trim();
      const heading = input.closest("fieldset[data-input]")?.querySelector("legend").textContent;
      const unit = input.parentElement.querySelector(".unit")?.textContent;
      input.setAttribute("aria-invalid", "true");
      return `${heading ? `${heading}: ` : ""}${label} is empty: enter a number${unit ? ` in ${unit}` : ""}`;
    }
    return "";
  }

  // Show settings. Settings that are not given have their defaults.
  show({ parameters = {}, given = Object.keys(parameters), inputs = {}, slope = 0, stop_time, step_size, record = "", reading = {} }) {
    this.given = new Set(given);
    for (const one of this.facts.parameters) {
      const value = parameters[one.name] ?? one.default;
      const input = element(`p-${one.name}`);
      if (one.kind === "boolean") input.checked = value === 1;
      else input.value = String(value);
      if (one.negative) element(`p-${one.name}-unset`).checked = value < 0;
    }
    for (const { name } of this.facts.inputs) {
      const given = { ...sineDefaults, ...inputs[name] };
      for (const part of sineParts) element(`i-${name}-${part}`).value = String(given[part]);
    }
    element("slope").value = String(slope);
    element("stop-time").value = String(stop_time ?? 12);
    element("step-size").value = String(step_size ?? 1e-3);
    element(record ? "motion-record" : "motion-sine").checked = true;
    if (record) element("record-name").value = record;
    for (const part of numbersOfReading) this.offerColumn(part, reading[part] ?? 0);
    for (const part of ["time_unit", "unit", "interval", "scale", "substeps"]) {
      element(`read-${part}`).value = String(reading[part] || "");
    }
    element("read-remove_mean").checked = Boolean(reading.remove_mean);
    for (const slider of this.sliders) slider.follow();
    this.arrange();
  }

  // The names of the columns are unknown until a record is read.
  offerColumn(part, number) {
    const select = element(`read-${part}`);
    if (number && ![...select.options].some((one) => Number(one.value) === number)) {
      select.append(new Option(`column ${number}`, String(number)));
    }
    select.value = String(number);
  }

  nameColumns(names) {
    for (const part of numbersOfReading) {
      const select = element(`read-${part}`);
      const chosen = select.value;
      select.replaceChildren(
        select.options[0],
        ...names.map((name, at) => new Option(`${at + 1}: ${name}`, String(at + 1))),
      );
      select.value = Number(chosen) <= names.length ? chosen : "0";
    }
  }

  addRecord(name) {
    const select = element("record-name");
    if (![...select.options].some((one) => one.value === name)) select.append(new Option(name, name));
    select.value = name;
    element("record-choice").hidden = false;
  }

  // Show only controls with an effect, and the meaning of choices.
  arrange() {
    const { parameters } = this.settings();
    const isRecorded = element("motion-record").checked;
    element("sine").hidden = isRecorded;
    element("record").hidden = !isRecorded;
    for (const one of this.facts.parameters) {
      const acts = one.acts.every(([name, numbers]) => numbers.includes(parameters[name]));
      element(`p-${one.name}`).closest(".control").hidden = !acts;
      if (one.kind === "choice") {
        const [, , meaning] = one.choices.find(([number]) => number === parameters[one.name]);
        element(`p-${one.name}-help`).textContent = meaning || one.description;
      }
      if (one.negative) {
        const isUnset = element(`p-${one.name}-unset`).checked;
        element(`p-${one.name}`).parentElement.hidden = isUnset;
        element(`p-${one.name}-slider`).hidden = isUnset;
      }
    }
  }

  // Mark the control whose value is at the beginning of a message.
  mark(problem) {
    for (const input of this.form.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
    for (const { name } of this.facts.parameters) {
      if (problem.includes(`${name}=`)) element(`p-${name}`).setAttribute("aria-invalid", "true");
    }
  }

  // -- links: settings that differ from the defaults --

  link(settings) {
    const words = new URLSearchParams();
    for (const one of this.facts.parameters) {
      const value = settings.parameters[one.name];
      const choice = one.choices.find(([number]) => number === value);
      const text = choice ? choice[1] : String(value);
      if (value !== one.default || settings.given.includes(one.name)) words.set(one.name, text);
    }
    for (const { name } of this.facts.inputs) {
      const plain = { ...sineDefaults, ...plainInputs[name] };
      for (const part of sineParts) {
        const value = settings.inputs[name][part];
        if (value !== plain[part]) words.set(`${name}.${part}`, String(value));
      }
    }
    if (settings.slope) words.set("slope", String(settings.slope));
    if (settings.stop_time !== 12) words.set("stop_time", String(settings.stop_time));
    if (settings.step_size !== 1e-3) words.set("step_size", String(settings.step_size));
    if (settings.record) {
      words.set("record", settings.record);
      for (const [part, value] of Object.entries(settings.reading)) {
        if (value) words.set(`record.${part}`, String(value));
      }
    }
    return words.toString();
  }

  // The settings of a link, and its unknown words.
  settingsOfLink(text) {
    const words = new URLSearchParams(text);
    const settings = { parameters: {}, inputs: structuredClone(plainInputs), reading: {} };
    const unknown = [];
    for (const [key, value] of words) {
      const parameter = this.facts.parameters.find(({ name }) => name === key);
      const [owner, part] = key.split(".");
      if (parameter) {
        const choice = parameter.choices.find(([, name]) => name === value);
        const number = choice ? choice[0] : Number(value);
        const isKnown = parameter.kind !== "choice" || parameter.choices.some(([one]) => one === number);
        if (Number.isNaN(number) || !isKnown) unknown.push(`${key}=${value}`);
        else settings.parameters[key] = number;
      } else if (this.facts.inputs.some(({ name }) => name === owner) && sineParts.includes(part)) {
        (settings.inputs[owner] ??= {})[part] = Number(value);
      } else if (["slope", "stop_time", "step_size"].includes(key)) settings[key] = Number(value);
      else if (key === "record") settings.record = value;
      else if (owner === "record") {
        settings.reading[part] = part.endsWith("unit") ? value : part === "remove_mean" ? true : Number(value);
      } else unknown.push(key);
    }
    return { settings, unknown };
  }
}
