"""Power series: arithmetic, evaluation, roots, and the linear motion that they describe."""
