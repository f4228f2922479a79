// Reads the files named on stdin as the native BaseMotion does, and prints the bits of the points
// or the reason for refusal. The argument is the column of the values.
#include "points.hpp"

int main(int, char **arguments) {
    char path[4096];
    while (std::fgets(path, sizeof path, stdin)) {
        path[std::strcspn(path, "\n")] = 0;
        Points points;
        PointReader reader("time [s],acceleration [m/s2]");
        if (!reader.read_path(path, path, std::atoi(arguments[1]), points)) {
            std::printf("refused: %s", reader.problem.data());
            std::putchar(0);
            continue;
        }
        for (std::size_t i = 0; i < points.times.size(); ++i) std::printf("%a,%a;", points.times[i], points.values[i]);
        std::putchar(0);
    }
}
