// Notes on settings that are rarely intended, by the rules of harness/case/note_rules.py.

// A number in Python's format "g", as on the command line. Ties are rounded up.
const general = (value, count = 6) => {
  if (value === 0) return "0";
  const [digits, power] = value.toExponential(count - 1).split("e").map(Number);
  if (power >= -4 && power < count) return String(Number(value.toPrecision(count)));
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
};

// Problems of the step for a sine, by the rules of harness/fmu/step_check.py: the reason of a
// rejection, and notes.
const stepFindings = ({ inputs }, record, stepSize, { step_rules: rules, inputs: known }) => {
  const notes = [];
  for (const { name } of known) {
    const { amplitude = 0, frequency = 1 } = inputs[name] ?? {};
    const isRecorded = record && (name === "base_acceleration" || (name === "base_acceleration_normal" && record.normal));
    if (isRecorded || !amplitude || !frequency) continue;
    const steps = (1 + 1e-9) / (Math.abs(frequency) * stepSize);
    if (steps >= rules.enough) continue;
    const said =
      `inputs.${name}: a sine of ${general(Math.abs(frequency))} Hz has ${general(steps, 3)} steps of ` +
      `step_size=${general(stepSize)} s per period`;
    const remedy = `take step_size ≤ ${general(1 / (rules.enough * Math.abs(frequency)), 3)} s`;
    if (steps < rules.fewest) return { problem: `${said} and must have ≥ ${rules.fewest}: ${remedy}`, notes };
    notes.push(`${said} and should have ≥ ${rules.enough}: ${remedy}`);
  }
  return { problem: "", notes };
};

const notesOn = ({ settings, record, outputs, count, stepSize }, facts) => {
  const values = settings.parameters;
  const defaults = Object.fromEntries(facts.parameters.map((one) => [one.name, one.default]));
  const isChanged = (name) => values[name] !== defaults[name];
  const isZero = (name) => outputs[name][count] === 0;
  const notes = stepFindings(settings, record, stepSize, facts).notes;
  for (const rule of facts.note_rules) {
    let sum = 0;
    for (const { factor, names } of rule.positive) sum += names.reduce((product, name) => product * values[name], factor);
    const figures = { ...values, sum };
    let applies =
      Object.entries(rule.where).every(([name, codes]) => codes.includes(values[name])) &&
      !rule.untouched.some((name) => isChanged(name) || settings.given.includes(name)) &&
      rule.changed.every(isChanged) &&
      (!rule.positive.length || sum > 0) &&
      rule.zero.every(isZero) &&
      !(rule.not_zero.length && rule.not_zero.every(isZero));
    if (applies && rule.falls_to_zero) {
      const values = outputs[rule.falls_to_zero].slice(0, count + 1);
      applies = values.slice(values.findIndex((value) => value > 0)).some((value) => value <= 0);
    }
    if (applies && rule.far) {
      const [low, high] = rangeOf(outputs[rule.far]);
      [figures.start, figures.range] = [outputs[rule.far][0], high - low];
      applies = figures.range > 0 && figures.start > facts.far * figures.range;
    }
    if (applies) notes.push(rule.text.replace(/\{(\w+)\}/g, (_, name) => general(figures[name])));
  }
  return notes;
};
