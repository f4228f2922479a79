// Numbers for readers: four digits and a suitable prefix of the unit.

const prefixes = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];
const prefixedUnits = ["m", "J", "W", "N", "m/s"];

// Factor and name of the unit with a prefix, for values up to this size.
const suitableUnit = (unit, size) => {
  if (unit === "m³") return [1e-9, "mm³"];
  if (!prefixedUnits.includes(unit) || !(size > 0) || !Number.isFinite(size)) return [1, unit];
  const [factor, prefix] = prefixes.find(([least]) => size >= least) ?? prefixes.at(-1);
  return [factor, prefix + unit];
};

const superscript = (power) =>
  String(power).replace(/[-\d]/g, (one) => (one === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[one]));

// A number with this number of digits, with a power of ten instead of many zeros.
const written = (value, digits = 4) => {
  const size = Math.abs(value);
  if (value !== 0 && Number.isFinite(value) && !(size >= 1e-3 && size < 1e6)) {
    const [number, power] = value.toExponential(digits - 1).split("e");
    return `${Number(number)}·10${superscript(Number(power))}`.replace("-", "−");
  }
  return String(Number(value.toPrecision(digits))).replace("-", "−");
};

const withUnit = (value, unit, digits = 4) => {
  const [factor, name] = suitableUnit(unit, Math.abs(value));
  return `${written(value / factor, digits)} ${name}`.trim();
};

const largestOf = (values) => values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);

const rangeOf = (values) => [
  values.reduce((low, value) => Math.min(low, value), Infinity),
  values.reduce((high, value) => Math.max(high, value), -Infinity),
];

const element = (id) => document.getElementById(id);

// A new element that contains texts or elements.
const newElement = (name, ...content) => {
  const created = document.createElement(name);
  created.append(...content);
  return created;
};
