// Notes on a run: what runs but rarely is meant so, by the rules of harness/case/note_rules.py.

// A number as Python's format "g" writes it, which the command line uses; a tie goes up.
const general = (value) => {
  if (value === 0) return "0";
  const [digits, power] = value.toExponential(5).split("e").map(Number);
  if (power >= -4 && power < 6) return String(Number(value.toPrecision(6)));
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
};

const notesOn = ({ settings, record, outputs, count }, facts) => {
  const values = settings.parameters;
  const defaults = Object.fromEntries(facts.parameters.map((one) => [one.name, one.default]));
  const isChanged = (name) => values[name] !== defaults[name];
  const isZero = (name) => outputs[name][count] === 0;
  const notes = [];
  for (const rule of facts.note_rules) {
    let sum = 0;
    for (const { factor, names } of rule.positive) sum += names.reduce((product, name) => product * values[name], factor);
    const figures = { ...values, sum };
    let applies =
      Object.entries(rule.where).every(([name, codes]) => codes.includes(values[name])) &&
      !rule.untouched.some((name) => isChanged(name) || settings.given.includes(name)) &&
      rule.changed.every(isChanged) &&
      (!rule.positive.length || sum > 0) &&
      (!rule.record_unit || record?.unit === rule.record_unit) &&
      rule.zero.every(isZero) &&
      !(rule.not_zero.length && rule.not_zero.every(isZero));
    if (applies && rule.far) {
      const [low, high] = rangeOf(outputs[rule.far]);
      [figures.start, figures.range] = [outputs[rule.far][0], high - low];
      applies = figures.range > 0 && figures.start > facts.far * figures.range;
    }
    if (applies) notes.push(rule.text.replace(/\{(\w+)\}/g, (_, name) => general(figures[name])));
  }
  return notes;
};
